const done = new WeakMap()

export default function ({ data, parentElement }) {
  const host = parentElement.host ?? parentElement
  if (done.get(host) === data.turn) return
  done.set(host, data.turn)
  const url = new URL(window.location.href)
  for (const [name, value] of Object.entries(data.values)) {
    if (value) url.searchParams.set(name, value)
    else url.searchParams.delete(name)
  }
  if (url.search !== window.location.search) window.history.replaceState(window.history.state, "", url)
}
