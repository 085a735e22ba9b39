import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type JsonNode, nodeAt, readJsonTree } from './json-tree.ts'

/** All nodes, without recursion. */
function* nodesOf(tree: JsonNode): Generator<JsonNode> {
  const open = [tree]
  for (let node = open.pop(); node; node = open.pop()) {
    yield node
    open.push(...(node.items ?? []), ...(node.members ?? []).map((member) => member.node))
  }
}

describe('readJsonTree', () => {
  it('knows the place of every key and value', () => {
    const text = ' {"a": [1, "x\\"]"],\n "b" : {"c": null}} '
    const tree = readJsonTree(text)
    if (!tree) throw new Error('no tree')
    expect(tree.value).toEqual({ a: [1, 'x"]'], b: { c: null } })
    expect(tree.members?.map(({ key, keyStart, keyEnd }) => [key, text.slice(keyStart, keyEnd)])).toEqual([
      ['a', '"a"'],
      ['b', '"b"'],
    ])
    for (const node of nodesOf(tree)) expect(JSON.parse(text.slice(node.start, node.end))).toEqual(node.value)
    expect(nodeAt(tree, ['a', 1])).toMatchObject({ kind: 'string', value: 'x"]' })
    expect(nodeAt(tree, ['b', 'c'])?.kind).toBe('null')
    expect(nodeAt(tree, ['b', 'd'])).toBeUndefined()
    expect(nodeAt(tree, ['a', 'length'])).toBeUndefined()
  })
  it('counts from an offset', () => expect(readJsonTree(' 1', 10)).toMatchObject({ start: 11, end: 12 }))
  test.each(['', '{', '[1,]', "{'a': 1}", '1 2', 'NaN', '{"a":1}}', '\u{feff}1'])('refuses %j', (text) => {
    expect(readJsonTree(text)).toBeUndefined()
  })
  it('keeps the last of duplicate keys, and shows both', () => {
    const tree = readJsonTree('{"a": 1, "a": 2}')
    expect(tree?.value).toEqual({ a: 2 })
    expect(tree?.members).toHaveLength(2)
    expect(tree && nodeAt(tree, ['a'])?.value).toBe(2)
  })
  it('takes prototype keys as data', () => {
    const tree = readJsonTree('{"__proto__": {"polluted": true}, "constructor": 1}')
    expect(Object.keys(tree?.value as object)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(tree?.value)).toBe(Object.prototype)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect(tree && nodeAt(tree, ['__proto__', 'polluted'])?.value).toBe(true)
    expect(tree && nodeAt(tree, ['toString'])).toBeUndefined()
  })
  it('keeps lone surrogates', () => expect(readJsonTree('"\ud800"')?.value).toBe('\ud800'))
  it('reads 100 000 levels', () => {
    const depth = 100_000
    const tree = readJsonTree('['.repeat(depth) + ']'.repeat(depth))
    expect(tree && [...nodesOf(tree)].length).toBe(depth)
    const path = new Array(depth - 1).fill('a')
    const objects = readJsonTree(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
    expect(objects && nodeAt(objects, path)?.kind).toBe('object')
  })
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 1, 2), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent)
        const tree = readJsonTree(text)
        expect(tree?.value).toEqual(JSON.parse(text))
        for (const node of tree ? nodesOf(tree) : []) expect(JSON.parse(text.slice(node.start, node.end))).toEqual(node.value)
      }),
    )
  })
})
