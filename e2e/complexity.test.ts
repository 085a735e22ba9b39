import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { growthOf } from '../bench/complexity/growth.mjs'
import { makeRecipe, randomFrom, showRecipe } from '../bench/complexity/recipes.mjs'
import { scanners } from '../bench/complexity/scanners.mjs'
import { seed, times } from '../tools/tests/random.ts'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))
const load = (folder: string, path: string): Promise<unknown> => import(/* @vite-ignore */ `${packages}${folder}/src/${path}.ts`)
const all = await scanners(load)

/** Characters of the smaller of the two texts. */
const size = 8000
const recipesEach = 12 * times

// `npm run bench hostile` looks for new texts.
describe.each(all)('$name', (scanner) => {
  test('costs at four times the size about four times as much', async () => {
    const random = randomFrom(seed)
    for (let index = 0; index < recipesEach; index++) {
      const recipe = makeRecipe(scanner.grammar, random)
      const { bad, ratio, largeMs } = await growthOf(scanner, recipe, size)
      expect(bad, `${showRecipe(recipe)}: ${ratio.toFixed(1)} times as much, ${largeMs.toFixed()} ms`).toBe(false)
    }
  })
})

/** Texts that held up the process, by the scanner that they held up. */
const once: readonly (readonly [scanner: string, parts: readonly { readonly once?: string; readonly repeated?: string }[]])[] = [
  ['json repair', [{ once: '{"a": ' }, { repeated: '1' }, { once: 'x' }]],
  ['json repair', [{ once: '{"a": ' }, { repeated: '1' }, { once: 'x' }, { repeated: ';' }]],
  ['json repair', [{ repeated: '/*' }]],
  ['json repair', [{ repeated: '[…/' }]],
  ['json repair', [{ repeated: '[' }]],
  ['json repair', [{ once: '[' }, { repeated: 'a' }, { once: '#' }, { repeated: '(1' }]],
  ['json repair', [{ once: '{a: ' }, { repeated: '>' }, { repeated: '*/"a"' }]],
  ['json repair', [{ once: '["a"' }, { repeated: '-' }, { repeated: "'" }]],
  ['json, whole', [{ once: '{"a": ' }, { repeated: '1' }, { once: 'x' }]],
  ['json, whole', [{ repeated: '/*' }]],
  ['json, whole', [{ repeated: '[' }]],
  ['tool calls, whole', [{ once: 'get_weather(city=0x' }, { repeated: '1' }, { once: ')' }]],
  ['tool calls, whole', [{ once: '<tool_call>' }, { repeated: '<\0' }]],
  ['leaks, whole', [{ once: 'a ' }, { repeated: '</s>' }]],
  ['leaks, whole', [{ once: 'a ' }, { repeated: '</s>\n\n' }]],
  ['leaks, streamed', [{ once: 'a ' }, { repeated: '`<|im_end|>`' }]],
  ['markdown with inert HTML, whole', [{ once: '```md\nx:\n```js\n' }, { repeated: '<b>\n' }, { once: '```\n```\n' }]],
]

test.each(once)('%s reads %j in linear time', async (name, recipe) => {
  const scanner = all.find((one) => one.name === name)
  if (!scanner) throw new Error(`there is no scanner ${name}`)
  const growth = await growthOf(scanner, recipe, 25_000)
  expect(growth.bad, `${growth.ratio} times as much, ${growth.largeMs} ms`).toBe(false)
})

test('a quadratic scanner is found', async () => {
  // Every step looks at all of the text so far.
  const run = (text: string): number => {
    let found = 0
    for (let end = 1; end <= text.length; end++) for (let at = 0; at < end; at++) found += text.charCodeAt(at) & 1
    return found
  }
  expect(await growthOf({ run }, [{ repeated: 'a' }], 2200)).toMatchObject({ bad: true })
}, 240_000)
