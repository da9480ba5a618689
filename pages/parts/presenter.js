const ALL = -1
const chosen = new WeakMap()

function source({ number, title, path }) {
  const name = make("span", path ? [make("span", title), make("span", ` · ${path}`, "path")] : title)
  return make("li", [make("b", String(number)), name])
}

function column(found, mode) {
  const state = make("span", found.state, found.bad ? "state bad" : "state")
  const head = make("header", [make("h3", [icon(mode.icon), make("span", mode.name)]), state])
  const notes = found.notes.map((note) => make("p", note, "bad"))
  const absent = found.absent ? [make("p", found.absent, "state")] : []
  const answer = make("div", [...found.blocks.map(block), ...absent, ...notes], "answer")
  const parts = [head, make("p", found.figures, "figures"), make("p", found.found, "found"), answer]
  const sources = [make("h4", found.title), make("ul", found.sources.map(source))]
  parts.push(found.sources.length ? make("div", sources, "sources") : make("div"))
  return paint(make("article", parts), mode)
}

function button(children, label, press, pressed) {
  const node = make("button", children)
  node.type = "button"
  node.onclick = press
  if (label) node.setAttribute("aria-label", label)
  if (pressed !== undefined) node.setAttribute("aria-pressed", String(pressed))
  return node
}

function typing(event) {
  const target = event.composedPath()[0]
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName)
}

function punch({ gold, modes, columns }) {
  const counts = modes.map((mode, at) => paint(make("span", [mode.name, " ", make("b", columns[at].gave)]), mode))
  return make("p", [make("span", gold), ...counts], "punch")
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".presenter")
  const stops = [...data.modes.keys(), ...(data.modes.length > 1 ? [ALL] : [])]
  const kept = chosen.get(root) ?? {}
  const state = kept.id === data.id ? kept : { id: data.id, at: stops[0] }
  chosen.set(root, state)

  function move(by) {
    show(stops[(stops.indexOf(state.at) + by + stops.length) % stops.length])
  }

  function bar() {
    const tabs = data.modes.map((mode, at) =>
      paint(button([icon(mode.icon), make("span", mode.name)], "", () => show(at), state.at === at), mode),
    )
    const all = button([make("span", data.words.all)], "", () => show(ALL), state.at === ALL)
    const back = button([icon("arrow_back")], data.words.previous, () => move(-1))
    const on = button([icon("arrow_forward")], data.words.next, () => move(1))
    return make("nav", data.modes.length > 1 ? [back, ...tabs, all, on] : tabs)
  }

  function show(at) {
    const focused = [...root.querySelectorAll("button")].indexOf(parentElement.activeElement)
    state.at = at
    const shown = at === ALL ? data.modes.map((_, place) => place) : [at]
    const columns = make("div", shown.map((place) => column(data.columns[place], data.modes[place])), "columns")
    columns.setAttribute("aria-live", "polite")
    root.className = at === ALL ? "presenter all" : "presenter one"
    root.replaceChildren(make("h2", data.question), make("div", [bar(), ...(data.gold ? [punch(data)] : [])], "bar"), columns)
    if (focused >= 0) root.querySelectorAll("button")[focused]?.focus()
  }

  function keys(event) {
    if (typing(event) || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === "Escape" && !event.defaultPrevented) setTriggerValue("leave", true)
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    move(by)
  }

  document.removeEventListener("keydown", state.keys)
  state.keys = keys
  document.addEventListener("keydown", keys)
  show(stops.includes(state.at) ? state.at : stops[0])
  return () => document.removeEventListener("keydown", state.keys)
}
