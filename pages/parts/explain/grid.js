function make(tag, text, role) {
  const node = document.createElement(tag)
  if (text !== undefined) node.textContent = text
  if (role) node.setAttribute("role", role)
  return node
}

function head(data) {
  const row = make("tr", undefined, "row")
  data.head.forEach((name, at) => {
    const cell = make("th", name, "columnheader")
    cell.className = data.align[at]
    row.append(cell)
  })
  const part = make("thead", undefined, "rowgroup")
  part.append(row)
  return part
}

function line(each, data) {
  const row = make("tr", undefined, "row")
  if (each.sum) row.className = "sum"
  each.cells.forEach((text, at) => {
    const cell = at ? make("td", text, "cell") : make("th", text, "rowheader")
    cell.className = data.align[at]
    cell.dataset.name = data.head[at]
    row.append(cell)
  })
  if (each.share !== null) {
    row.classList.add("share")
    row.style.setProperty("--share", each.share)
  }
  return row
}

export default function ({ data, parentElement }) {
  const table = make("table", undefined, "table")
  const body = make("tbody", undefined, "rowgroup")
  body.append(...data.lines.map(each => line(each, data)))
  table.append(make("caption", data.title), head(data), body)
  parentElement.querySelector(".grid").replaceChildren(table)
}
