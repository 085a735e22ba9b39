import { type Document, isAlias, isMap, isNode, isPair, isScalar, isSeq, type Node, visit } from 'yaml'

/** The offset of the key or list item at a path, or of the nearest thing above it that is there. */
export function offsetOf(document: Document.Parsed, path: readonly (string | number)[]): number {
  let offset = startOf(document.contents) ?? 0
  let node: unknown = document.contents
  for (const segment of path) {
    const next = childAt(isAlias(node) ? node.resolve(document) : node, segment)
    if (next === undefined) break
    offset = startOf(next.place) ?? offset
    node = next.value
  }
  return offset
}

function childAt(node: unknown, segment: string | number): { readonly place: unknown; readonly value: unknown } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value ?? '') === String(segment))
    return pair && { place: pair.key, value: pair.value }
  }
  const item = isSeq(node) ? node.items[Number(segment)] : undefined
  // A list of pairs, `- name: x`, has its own nodes for the items.
  return item === undefined ? undefined : { place: isPair(item) ? item.key : item, value: item }
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}

/** Finds what the parser lets pass but plain data cannot hold, or should not: message and offset. */
export function findOddNodes(document: Document.Parsed): (readonly [message: string, offset: number])[] {
  const odd: (readonly [string, number])[] = []
  const complain = (message: string, node: unknown): void => void odd.push([message, startOf(node) ?? 0])
  visit(document, {
    Pair(_index, { key }) {
      if (!isScalar(key)) complain('a key must be a plain word', key)
      else if (key.value === '__proto__') complain('unknown key "__proto__"', key)
    },
    Alias(_index, alias, ancestors) {
      const target = alias.resolve(document)
      if (target === undefined) complain(`there is no anchor &${alias.source} before this alias`, alias)
      else if (ancestors.includes(target as Node)) complain(`the alias *${alias.source} refers to a node that contains it`, alias)
    },
  })
  return odd
}
