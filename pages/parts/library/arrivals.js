function make(tag, text, className) {
  const node = document.createElement(tag)
  if (text !== undefined) node.textContent = text
  if (className) node.className = className
  return node
}

function state(row) {
  const node = make("span", undefined, `state ${row.state}`)
  const icon = make("span", row.icon, "icon")
  icon.setAttribute("aria-hidden", "true")
  node.append(icon, make("span", row.word))
  return node
}

function file(row) {
  const node = make("li")
  const head = make("div", undefined, "head")
  head.append(state(row), make("span", row.file, "file"), make("span", row.facts, "facts"))
  node.append(head)
  for (const note of row.notes) node.append(make("p", note, "note"))
  return node
}

export default function ({ data, parentElement }) {
  const list = make("ul")
  list.setAttribute("aria-label", data.title)
  list.append(...data.rows.map(file))
  parentElement.querySelector(".arrivals").replaceChildren(list)
}
