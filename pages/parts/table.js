const SHORT = 14

function make(tag, text, className) {
  const node = document.createElement(tag)
  if (text !== undefined) node.textContent = text
  if (className) node.className = className
  return node
}

function told(role, node, children) {
  node.setAttribute("role", role)
  node.append(...children)
  return node
}

function name(mode, place) {
  const node = make("th", undefined, place ? "later" : "")
  node.style.setProperty("--mode", `var(--st-${mode.colour}-text-color)`)
  const icon = make("span", mode.icon, "icon")
  icon.setAttribute("aria-hidden", "true")
  return told("columnheader", node, [icon, make("span", mode.name)])
}

function figure(cell, place, code) {
  const parts = [make("span", cell.text, code ? "value code" : cell.text.length > SHORT ? "value" : "value short")]
  if (place) parts.push(make("span", cell.ratio, "ratio"))
  return told("cell", make("td"), parts)
}

function line(row) {
  const label = told("rowheader", make("th", row.label), [])
  const node = told("row", make("tr"), [label, ...row.cells.map((cell, place) => figure(cell, place, row.code))])
  if (row.part) node.className = "part"
  return node
}

export default function ({ data, parentElement }) {
  const table = told("table", make("table"), [make("caption", data.title)])
  table.style.setProperty("--modes", data.modes.length)
  const head = told("row", make("tr"), [told("columnheader", make("th"), []), ...data.modes.map(name)])
  table.append(
    told("rowgroup", make("thead"), [head]),
    told("rowgroup", make("tbody"), data.rows.map(line)),
  )
  parentElement.querySelector(".figures").replaceChildren(table)
}
