const INSIDE = "a[href], button, input, summary, textarea, [tabindex='0']"
const EACH = 50
const PATIENCE = 200 // looks until there is something to enter, on a busy machine too
const SETTLES = 12 // looks after that

function enter(from, looks) {
  if (!looks || document.activeElement !== from) return
  const body = [...document.querySelectorAll("[data-testid=stPopoverBody]")].pop()
  const usable = node => !node.disabled && node.getClientRects().length
  const first = [...(body?.querySelectorAll(INSIDE) ?? [])].find(usable) ?? from
  const entered = first !== from
  if (entered) first.focus({ preventScroll: true })
  // what a popover holds comes piece by piece, not always the first one first
  setTimeout(enter, EACH, first, entered ? SETTLES : looks - 1)
}

function clicked(event) {
  const byKey = event.detail === 0 && event.isTrusted
  const button = byKey && event.target.closest("[data-testid=stPopover] button")
  if (button && button.getAttribute("aria-expanded") !== "true") setTimeout(enter, EACH, button, PATIENCE)
}

export default function () {
  document.addEventListener("click", clicked, true)
  return () => document.removeEventListener("click", clicked, true)
}
