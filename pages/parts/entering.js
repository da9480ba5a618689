const INSIDE = "a[href], button, input, summary, textarea, [tabindex='0']"
const EACH = 50
const TICKS = 12

function enter(from, ticks) {
  if (!ticks || document.activeElement !== from) return
  const body = [...document.querySelectorAll("[data-testid=stPopoverBody]")].pop()
  const usable = node => !node.disabled && node.getClientRects().length
  const first = [...(body?.querySelectorAll(INSIDE) ?? [])].find(usable) ?? from
  if (first !== from) first.focus({ preventScroll: true })
  setTimeout(enter, EACH, first, ticks - 1) // what a popover holds comes piece by piece, not always the first one first
}

function clicked(event) {
  const byKey = event.detail === 0 && event.isTrusted
  const button = byKey && event.target.closest("[data-testid=stPopover] button")
  if (button && button.getAttribute("aria-expanded") !== "true") setTimeout(enter, EACH, button, TICKS)
}

export default function () {
  document.addEventListener("click", clicked, true)
  return () => document.removeEventListener("click", clicked, true)
}
