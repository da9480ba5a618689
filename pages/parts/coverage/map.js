const ALONG = { ArrowRight: 1, ArrowLeft: -1 }
const ACROSS = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }

function make(tag, text, className) {
  const node = document.createElement(tag)
  if (text !== undefined) node.textContent = text
  if (className) node.className = className
  return node
}

function as(role, node, ...children) {
  node.setAttribute("role", role)
  node.append(...children)
  return node
}

function head(part) {
  const row = as("row", make("div", undefined, "head"))
  row.dataset.open = part.folds ? part.id : ""
  const title = as("rowheader", make("span", undefined, "title"))
  if (part.folds) {
    const sign = make("span", part.open ? "expand_more" : "chevron_right", "icon")
    sign.setAttribute("aria-hidden", "true")
    title.append(sign)
    row.setAttribute("aria-expanded", String(part.open))
    row.tabIndex = -1
  }
  title.append(make("span", part.title))
  const bar = make("span", undefined, "bar")
  bar.setAttribute("aria-hidden", "true")
  bar.style.setProperty("--share", part.share)
  const share = as("gridcell", make("span", undefined, "share"), bar, make("span", part.count))
  row.append(title, share)
  return row
}

function cell(each, chosen) {
  const node = as("gridcell", make("span", String(each.count), `cell l${each.level}`))
  node.dataset.passage = each.id
  node.dataset.told = `${each.label}　${each.told}`
  node.setAttribute("aria-label", `${each.label}: ${each.told}`)
  node.setAttribute("aria-selected", String(each.id === chosen))
  node.tabIndex = -1
  return node
}

function line(each, data) {
  const row = as("row", make("div", undefined, "line"))
  const cells = make("span", undefined, "cells")
  cells.setAttribute("role", "presentation")
  cells.append(...each.cells.map(one => cell(one, data.chosen)))
  row.append(as("rowheader", make("span", each.title, "title")), cells)
  return row
}

function legend(data) {
  return data.legend.map(({ level, text }) => {
    const part = make("span")
    const sample = make("span", "", `cell l${level} sample`)
    sample.setAttribute("aria-hidden", "true")
    part.append(sample, ` ${text}`)
    return part
  })
}

function stops(row) {
  return row.classList.contains("head") ? [row] : [...row.querySelectorAll(".cell")]
}

function steer(root, box, hint, choose, open) {
  const rows = [...box.querySelectorAll(".head[aria-expanded], .line")].map(stops).filter(row => row.length)
  const all = rows.flat()
  const readout = root.querySelector(".readout")
  const tell = node => { readout.textContent = node?.dataset.told || hint }
  const enter = (node, focus) => {
    all.forEach(each => { each.tabIndex = each === node ? 0 : -1 })
    if (!focus) return
    node.focus({ preventScroll: true })
    node.scrollIntoView({ block: "nearest" })
  }
  const act = node => {
    enter(node)
    if (node.dataset.passage) choose(node.dataset.passage)
    else open(node.dataset.open)
  }
  const picked = all.find(node => node.getAttribute("aria-selected") === "true")
  if (all.length) enter(picked || all[0])
  tell(picked)
  box.onclick = event => {
    const node = event.target.closest(".cell, .head[aria-expanded]")
    if (node) act(node)
  }
  box.onmouseover = event => tell(event.target.closest(".cell") || picked)
  box.onmouseleave = () => tell(picked)
  box.onkeydown = event => {
    const at = rows.findIndex(row => row.includes(event.target))
    if (at < 0) return
    const place = rows[at].indexOf(event.target)
    if (event.key === "Enter" || event.key === " ") act(event.target)
    else if (event.key in ALONG) enter(all[Math.max(0, Math.min(all.length - 1, all.indexOf(event.target) + ALONG[event.key]))], true)
    else if (event.key in ACROSS) {
      const row = rows[Math.max(0, Math.min(rows.length - 1, at + ACROSS[event.key]))]
      enter(row[Math.min(place, row.length - 1)], true)
    } else if (event.key === "Home") enter(all[0], true)
    else if (event.key === "End") enter(all[all.length - 1], true)
    else return
    event.preventDefault()
  }
  const reached = event => tell(event.target.closest(".cell"))
  box.addEventListener("focusin", reached)
  return () => box.removeEventListener("focusin", reached)
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".map")
  const box = root.querySelector(".box")
  const active = root.getRootNode().activeElement
  const focused = box.contains(active) ? active.dataset.passage || active.dataset.open : undefined
  const top = box.scrollTop
  root.style.setProperty("--hue", `var(--st-${data.hue}-text-color)`)
  const table = as("treegrid", make("div", undefined, "table"))
  table.setAttribute("aria-label", data.words.caption)
  data.parts.forEach(part => {
    if (part.head) table.append(head(part))
    table.append(...part.lines.map(each => line(each, data)))
  })
  box.replaceChildren(table)
  box.scrollTop = top
  root.querySelector(".readout").setAttribute("aria-live", "polite")
  root.querySelector(".legend").replaceChildren(...legend(data))
  const leave = steer(root, box, data.words.hint, id => setTriggerValue("choose", id), id => setTriggerValue("open", id))
  const again = focused && [...box.querySelectorAll("[data-passage], [data-open]")]
    .find(node => (node.dataset.passage || node.dataset.open) === focused)
  if (again) again.focus({ preventScroll: true })
  return leave
}
