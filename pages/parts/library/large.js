const listening = new WeakMap()
const told = new WeakSet()
const UPLOADING = "[data-testid=stFileUploaderFile]"
const DROPZONE = "[data-testid=stFileUploaderDropzone]"

const MEGABYTE = /^Win/i.test(navigator.platform) ? 1024 * 1024 : 1000 * 1000 // as the uploader counts (1.67)
const EACH = 50
const PATIENCE = 200 // looks until the other files have come

// a run of the script that begins while the uploader asks where to send the other files takes the answer away
function later(say, room, looks) {
  if (!looks || !document.querySelector(`.${room}`)) say()
  else setTimeout(later, EACH, say, room, looks - 1)
}

function listed(reader) {
  return new Promise(resolve => reader.readEntries(resolve, () => resolve([])))
}

async function below(entry) {
  if (entry.isFile) return new Promise(resolve => entry.file(file => resolve([file]), () => resolve([])))
  const reader = entry.createReader()
  const found = []
  for (let some = await listed(reader); some.length; some = await listed(reader)) {
    for (const inner of some) found.push(...(await below(inner)))
  }
  return found
}

function dropped(transfer) {
  const items = [...transfer.items].filter(item => item.kind === "file")
  const entries = items.map(item => item.webkitGetAsEntry?.()).filter(Boolean)
  if (!entries.length) return Promise.resolve([...transfer.files])
  return Promise.all(entries.map(below)).then(found => found.flat())
}

export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.host ?? parentElement
  listening.get(host)?.()

  function tell(files, room, busy) {
    const large = files.filter(file => file.size > data.megabytes * MEGABYTE && !told.has(file))
    if (!large.length) return
    large.forEach(file => told.add(file))
    const named = large.map(file => ({ name: file.webkitRelativePath || file.name, size: file.size }))
    const alone = !busy && large.length === files.length
    const say = () => setTriggerValue("refused", { files: named, alone })
    if (alone) say()
    else later(say, room, PATIENCE)
  }

  function chosen(event) {
    const found = event.target.closest?.(`.${data.room}`)
    if (!found) return
    const [room, busy] = [data.room, found.querySelector(UPLOADING) !== null]
    if (event.type === "change" && event.target.type === "file") tell([...event.target.files], room, busy)
    const isDrop = event.type === "drop" && event.target.closest(DROPZONE)
    if (isDrop) dropped(event.dataTransfer).then(files => tell(files, room, busy))
  }

  const kinds = ["change", "drop"]
  const leave = () => kinds.forEach(kind => document.removeEventListener(kind, chosen, true))
  kinds.forEach(kind => document.addEventListener(kind, chosen, true))
  listening.set(host, leave)
  const early = document.querySelector(`.${data.room} input[type=file]`)?.files ?? []
  tell([...early], data.room, false) // chosen before this was listening
  return leave
}
