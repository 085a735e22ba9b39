import { globalRegistry } from 'zod/mini'

/** The type of an object's schema, up to its keys. */
export const isObjectType = /Zod(?:Mini)?Object<\{$/m

/** The objects of the schemas that a module exports, with what they say of their keys, in the order in which they are written. */
export function describedObjects(exported) {
  const found = []
  const seen = new Set()
  const walk = (schema) => {
    const def = schema?._zod?.def
    if (def === undefined || seen.has(schema)) return
    seen.add(schema)
    if (def.type === 'object') {
      const entries = Object.entries(def.shape)
      found.push(new Map(entries.map(([key, part]) => [key, describedBy(part)])))
      for (const [, part] of entries) walk(part)
    } else for (const part of partsOf(def)) walk(part)
  }
  for (const one of exported) walk(one?.definition?.options ?? one)
  return found
}

function partsOf({ innerType, element, items, rest, keyType, valueType, options, left, right, in: input, out }) {
  return [innerType, element, ...(items ?? []), rest, keyType, valueType, ...(options ?? []), left, right, input, out].filter(Boolean)
}

/** A description may stand on a schema or on what it wraps. */
function describedBy(schema) {
  for (let part = schema; part !== undefined; part = part._zod.def.innerType) {
    const { description } = globalRegistry.get(part) ?? {}
    if (description !== undefined) return description
  }
  return undefined
}

/** Declarations with a comment above each key of an object type that a schema describes; comments of before are replaced. */
export function withDescriptions(text, objects) {
  const lines = text.split('\n')
  const blocks = readBlocks(lines)
  const taken = new Map()
  const comments = new Map()
  const old = new Set()
  for (const { keys, comments: written } of blocks) {
    const names = keys.map(({ name }) => name).join()
    const same = objects.filter((one) => [...one.keys()].join() === names)
    if (same.length === 0) continue
    const index = taken.get(names) ?? 0
    taken.set(names, index + 1)
    const described = same[index % same.length]
    for (const line of written) old.add(line)
    for (const { name, line } of keys) if (described.get(name)) comments.set(line, described.get(name))
  }
  return lines
    .flatMap((line, index) => {
      if (old.has(index)) return []
      const comment = comments.get(index)
      const indent = line.slice(0, line.length - line.trimStart().length)
      return comment === undefined ? [line] : [`${indent}/** ${comment.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */`, line]
    })
    .join('\n')
}

/** The object types in declarations: their keys and the comments between them, by line. */
function readBlocks(lines) {
  const blocks = []
  const open = []
  for (const [index, line] of lines.entries()) {
    if (/^\s*\}/.test(line)) open.pop()
    const block = open.at(-1)
    const key = /^\s*(?:"([^"]+)"|([\w$]+))\??: /.exec(line)
    if (block && key) block.keys.push({ name: key[1] ?? key[2], line: index })
    else if (block && /^\s*\/\*\* .* \*\/$/.test(line)) block.comments.push(index)
    if (!line.endsWith('{')) continue
    const next = isObjectType.test(line) ? { keys: [], comments: [] } : undefined
    if (next) blocks.push(next)
    open.push(next)
  }
  return blocks
}
