import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './support/places.ts'
import { walk } from './support/walk.ts'

const sdk = (path: string): string => readFileSync(join(root, 'node_modules', path), 'utf8')
const quoted = (text: string): string[] => [...text.matchAll(/'((?:gpt|claude)-[\w.-]+)'/g)].map(([, name = '']) => name)

const messages = '@anthropic-ai/sdk/resources/messages/messages'
/** Models that the SDK itself warns of. */
const retired = new Set(quoted(/DEPRECATED_MODELS = \{[^}]*\}/.exec(sdk(`${messages}.js`))?.[0] ?? ''))
const claude = quoted(sdk(`${messages}.d.ts`)).filter((name) => !retired.has(name))
/** Of OpenAI's models, the last three generations that its SDK names. */
const gpt = quoted(sdk('openai/resources/shared.d.ts'))
const generation = (name: string): number => Number(/^gpt-(\d+(?:\.\d+)?)/.exec(name)?.[1] ?? 0)
const oldest = [...new Set(gpt.map(generation))].sort((a, b) => b - a)[2] ?? 0
const current = new Set([...claude, ...gpt.filter((name) => generation(name) >= oldest)])

const namesIn = (text: string): string[] => text.match(/\b(?:gpt-\d|claude-(?:\d|opus|sonnet|haiku))[\w.-]*\w/g) ?? []
/** A page about what each generation takes names old ones. */
const families = 'docs/guide/what-is-sent.md'
const isExample = (path: string): boolean =>
  path !== families &&
  (/^(?:README\.md|action\.yml|packages\/[^/]+\/README\.md|(?:docs|examples|deploy)\/.+)$/.test(path) ||
    path === 'packages/cli/src/templates/starter.ts')

test('the examples name models that the SDKs of their providers still offer', async () => {
  expect([retired.size > 0, claude.length > 0, oldest > 0]).toEqual([true, true, true])
  const found = (await walk())
    .filter(isExample)
    .flatMap((path) => namesIn(readFileSync(join(root, path), 'utf8')).map((name) => ({ path, name })))
  expect(found.length).toBeGreaterThan(5)
  expect(found.filter(({ name }) => !current.has(name))).toEqual([])
})
