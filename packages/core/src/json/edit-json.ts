import { eachEntry } from './json-walker.ts'
import { skipSpace } from './scan.ts'

/** A change of one value in JSON text. */
export interface JsonEdit {
  readonly path: readonly (string | number)[]
  /** The JSON that takes its place; undefined removes it. A member that is not there is added at the end of its object. */
  readonly json: string | undefined
  /** Puts it before the element of a list with that number, or after the last one, in place of replacing one. */
  readonly isNew?: true
}

interface Node {
  readonly inner: Map<string | number, Node>
  edit?: JsonEdit
  before?: JsonEdit[]
}

interface Patch {
  readonly start: number
  readonly end: number
  readonly text: string
}

interface Entry {
  readonly name: string | number
  /** Where the entry begins: at its name in an object. */
  readonly from: number
  readonly start: number
  readonly end: number
}

/**
 * Changes values in JSON text by their paths and leaves every other byte as it is; of several members of one name the last counts, as in
 * `JSON.parse`. The text must be JSON.
 */
export function editJson(source: string, edits: readonly JsonEdit[]): string {
  if (edits.length === 0) return source
  const root: Node = { inner: new Map() }
  for (const edit of edits) place(root, edit)
  const patches: Patch[] = []
  collect(source, skipSpace(source, 0), root, patches)
  patches.sort((a, b) => a.start - b.start)
  let result = ''
  let at = 0
  for (const { start, end, text } of patches) {
    result += source.slice(at, start) + text
    at = Math.max(at, end)
  }
  return result + source.slice(at)
}

function place(root: Node, edit: JsonEdit): void {
  let node = root
  for (const key of edit.path) {
    let next = node.inner.get(key)
    if (next === undefined) {
      next = { inner: new Map() }
      node.inner.set(key, next)
    }
    node = next
  }
  if (!edit.isNew) node.edit = edit
  else if (node.before === undefined) node.before = [edit]
  else node.before.push(edit)
}

function collect(source: string, from: number, node: Node, patches: Patch[]): void {
  const opening = source[from]
  if (opening !== '{' && opening !== '[') return
  const entries: Entry[] = []
  const close = eachEntry(source, from, (name, begin, start, end) => entries.push({ name, from: begin, start, end }))
  const found = new Map<string | number, number>()
  for (const [at, { name }] of entries.entries()) if (node.inner.has(name)) found.set(name, at)
  const removed = new Set<number>()
  const removedNames = new Set<string | number>()
  const added: string[] = []
  for (const [key, inner] of node.inner) {
    const at = found.get(key)
    const entry = at === undefined ? undefined : entries[at]
    for (const { json = '' } of inner.before ?? []) {
      if (entry === undefined) added.push(json)
      else patches.push({ start: entry.from, end: entry.from, text: `${json},` })
    }
    if (entry === undefined || at === undefined) {
      const json = missing(inner)
      if (json !== undefined && opening === '{') added.push(`${JSON.stringify(key)}:${json}`)
      continue
    }
    if (inner.edit === undefined) collect(source, entry.start, inner, patches)
    else if (inner.edit.json !== undefined) patches.push({ start: entry.start, end: entry.end, text: inner.edit.json })
    else removedNames.add(key)
  }
  if (removedNames.size > 0) for (const [at, { name }] of entries.entries()) if (removedNames.has(name)) removed.add(at)
  removeEntries(entries, removed, patches)
  if (added.length === 0) return
  const isEmpty = entries.length === removed.size
  // After the last value, so that white space before the bracket stays there.
  const end = entries.at(-1)?.end ?? close
  patches.push({ start: end, end, text: `${isEmpty ? '' : ','}${added.join(',')}` })
}

/** The JSON of a member that is not there yet, as far as its edits give it one. */
function missing({ edit, inner, before }: Node): string | undefined {
  if (before !== undefined) return undefined
  if (edit !== undefined) return edit.json
  const members: string[] = []
  for (const [key, node] of inner) {
    const json = typeof key === 'string' ? missing(node) : undefined
    if (json !== undefined) members.push(`${JSON.stringify(key)}:${json}`)
  }
  return members.length === 0 ? undefined : `{${members.join(',')}}`
}

/** Each goes with the comma after it, or with that before it where it is the last one that stays. */
function removeEntries(entries: readonly Entry[], removed: ReadonlySet<number>, patches: Patch[]): void {
  if (removed.size === 0) return
  let lastKept = -1
  for (const at of entries.keys()) if (!removed.has(at)) lastKept = at
  for (const at of removed) {
    const entry = entries[at] as Entry
    const next = entries[at + 1]
    if (at < lastKept && next !== undefined) patches.push({ start: entry.from, end: next.from, text: '' })
    else patches.push({ start: at === 0 ? entry.from : (entries[at - 1] as Entry).end, end: entry.end, text: '' })
  }
}

/** How a member of an object is written, the last one of that name as in `JSON.parse`; nothing when there is none. The text must be JSON. */
export function memberSource(json: string, name: string): string | undefined {
  let found: string | undefined
  const from = skipSpace(json, 0)
  if (json[from] !== '{') return undefined
  eachEntry(json, from, (member, _from, start, end) => {
    if (member === name) found = json.slice(start, end)
  })
  return found
}

/** How the elements of a list are written; none when it is not a list. The text must be JSON. */
export function elementSources(json: string): readonly string[] {
  const found: string[] = []
  const from = skipSpace(json, 0)
  if (json[from] === '[') eachEntry(json, from, (_name, _from, start, end) => found.push(json.slice(start, end)))
  return found
}
