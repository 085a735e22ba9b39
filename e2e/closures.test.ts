import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './support/places.ts'
import { walk } from './support/walk.ts'

/** A function that is written where it is assigned to a member. */
const assigned =
  /^(?!\s*(?:export|static|readonly|const|let)\b).*(?:[\w\])]\.#?\w+ (?:\?\?)?= (?:async )?(?:function\b|(?:\([^()]*\)|\w+)(?:: [^=]+)? =>)|\w\[[^[\]]+\] = (?:\([^()]*\)|\w+) =>)/

test('finds functions that are assigned to members where they are written', () => {
  const found = ['this.#a = () => 1', 'x.on = async (b) => {', 'x.y = function () {', 'this.#list[at] = () => x', 'x.y ??= b => c']
  const fine = [
    'const a = () => 1',
    "const a: B['c'] = () => 1",
    '  readonly #a = (): void => {}',
    'this.#a = a',
    'x.y = list.map((z) => z)',
    'x.y = z ?? (() => {})',
  ]
  expect(found.filter((line) => !assigned.test(line))).toEqual([])
  expect(fine.filter((line) => assigned.test(line))).toEqual([])
})

// V8 creates such a function in old space, where it keeps all that it refers to, even when it is dead, until the next full collection: in the
// gateway, every request. A constant that is assigned, a field of a class and a member of a literal are created in young space.
test('no request leaves a function in old space', async () => {
  const found: string[] = []
  for (const folder of ['packages/core/src', 'packages/gateway/src']) {
    for (const path of await walk(folder)) {
      if (!/\.ts$/.test(path) || /\.test(-d)?\.ts$|\/testing\/|\/page\/browser\//.test(path)) continue
      const lines = (await readFile(join(root, path), 'utf8')).split('\n')
      for (const [index, line] of lines.entries()) if (assigned.test(line)) found.push(`${path}:${index + 1}`)
    }
  }
  expect(found).toEqual([])
})
