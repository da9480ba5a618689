const COLOURS = ["orange", "blue", "green", "violet"]
const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }

function make(tag, text, className) {
  const node = document.createElement(tag)
  if (text !== undefined) node.textContent = text
  if (className) node.className = className
  return node
}

function as(role, node) {
  node.setAttribute("role", role)
  return node
}

function paint(node, place) {
  const colour = COLOURS[place % COLOURS.length]
  node.style.setProperty("--mode", `var(--st-${colour}-text-color)`)
  node.style.setProperty("--ground", `var(--st-${colour}-background-color)`)
  return node
}

function head(data) {
  const row = as("row", make("tr"))
  const corner = as("columnheader", make("th", data.words.passage))
  corner.scope = "col"
  row.append(corner)
  data.modes.forEach((mode, place) => {
    const cell = as("columnheader", paint(make("th", mode.name, "mode"), place))
    cell.scope = "col"
    if (mode.state) cell.append(make("span", mode.state, mode.bad ? "state bad" : "state"))
    row.append(cell)
  })
  const part = as("rowgroup", make("thead"))
  part.append(row)
  return part
}

function cell(signs, place, told, data) {
  const node = as("gridcell", paint(make("td"), place))
  node.setAttribute("aria-label", `${data.modes[place].name}: ${told}`)
  node.title = told
  if (!signs.length) node.append(make("span", "—", "none"))
  signs.forEach(([kind, text]) => node.append(make("span", text, `sign ${kind}`)))
  return node
}

function line(row, data) {
  const node = as("row", make("tr"))
  node.dataset.row = row.id
  node.tabIndex = -1
  node.setAttribute("aria-selected", String(row.id === data.chosen))
  const label = as("rowheader", make("th"))
  label.scope = "row"
  const name = make("span", row.title, "label")
  if (row.whole !== row.title) name.title = row.whole
  label.append(name)
  if (row.gold) label.append(make("span", data.words.gold, "gold"))
  if (row.unclear) label.append(make("span", row.unclear, "unclear"))
  node.append(label)
  row.cells.forEach((signs, place) => node.append(cell(signs, place, row.told[place], data)))
  return node
}

function section({ name, whole, rows }, data) {
  const part = as("rowgroup", make("tbody"))
  const row = as("row", make("tr", undefined, "section"))
  const title = as("rowheader", make("th"))
  title.scope = "rowgroup"
  title.colSpan = data.modes.length + 1
  const path = make("span", name)
  if (whole !== name) path.title = whole
  title.append(path)
  row.append(title)
  part.append(row, ...rows.map(each => line(each, data)))
  return part
}

function legend(data) {
  return data.words.legend.map(([sign, text]) => {
    const part = make("span")
    part.append(make("b", sign), ` ${text}`)
    return part
  })
}

function steer(box, choose) {
  const rows = [...box.querySelectorAll("tr[data-row]")]
  const enter = row => {
    rows.forEach(each => { each.tabIndex = each === row ? 0 : -1 })
  }
  const first = rows.find(row => row.getAttribute("aria-selected") === "true") || rows[0]
  if (first) enter(first)
  box.onclick = event => {
    const row = event.target.closest("tr[data-row]")
    if (!row) return
    enter(row)
    choose(row.dataset.row)
  }
  box.onkeydown = event => {
    const row = event.target.closest("tr[data-row]")
    if (!row) return
    if (event.key === "Enter" || event.key === " ") choose(row.dataset.row)
    else if (event.key in STEPS) {
      const to = Math.max(0, Math.min(rows.length - 1, rows.indexOf(row) + STEPS[event.key]))
      enter(rows[to])
      rows[to].focus({ preventScroll: true })
      rows[to].scrollIntoView({ block: "nearest" })
    } else return
    event.preventDefault()
  }
}

function reveal(box) {
  const row = box.querySelector('tr[aria-selected="true"]')
  if (!row) return
  const [inner, outer] = [row.getBoundingClientRect(), box.getBoundingClientRect()]
  const under = outer.top + box.querySelector("thead").offsetHeight
  if (inner.top < under || inner.bottom > outer.bottom) box.scrollTop += inner.top - under - outer.height / 3
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".matrix")
  const box = root.querySelector(".box")
  const focused = box.contains(root.getRootNode().activeElement) && root.getRootNode().activeElement.dataset.row
  const [top, left] = [box.scrollTop, box.scrollLeft]
  const table = make("table")
  table.setAttribute("role", "grid")
  table.style.setProperty("--modes", data.modes.length)
  table.append(make("caption", data.words.caption), head(data))
  data.sections.forEach(one => table.append(section(one, data)))
  const before = box.dataset.chosen
  box.replaceChildren(table)
  box.scrollTo(left, top)
  box.dataset.chosen = data.chosen
  if (before !== data.chosen) reveal(box)
  root.querySelector(".legend").replaceChildren(...legend(data))
  steer(box, id => setTriggerValue("choose", id))
  const again = focused && [...box.querySelectorAll("tr[data-row]")].find(row => row.dataset.row === focused)
  if (again) again.focus({ preventScroll: true })
}
