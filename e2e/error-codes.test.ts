import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeError } from '@stickler/core/internal/relay'
import { expect, test } from 'vitest'
import { HttpError } from '../packages/core/src/apis/shared/http-error.ts'
import { errorMakers, madeErrors } from './support/error-codes.ts'
import { root } from './support/places.ts'
import { walk } from './support/walk.ts'

const isServed = (path: string) =>
  /^packages\/(?:gateway\/src|core\/src\/(?:apis|relay))\/(?!testing\/|.*\/browser\/).*(?<!\.test)\.ts$/.test(path)
const sources = await Promise.all((await walk()).filter(isServed).map((path) => readFile(join(root, path), 'utf8')))
const makers = errorMakers(sources)
const made = sources.flatMap((source) => madeErrors(source, makers))
const page = await readFile(join(root, 'docs/reference/errors.md'), 'utf8')
const rows = [...page.slice(page.indexOf('\n## Errors\n')).matchAll(/^\| (\d+|its own) \| `([a-z0-9_]+)` \| `?(\w+)/gm)].map(
  ([, status = '', code = '', type = '']) => ({ status, code, type }),
)

test('docs/reference/errors.md has a row for every code of an error, and no other', () => {
  expect(rows.map(({ code }) => code).sort()).toEqual([...new Set(made.map(({ code }) => code))].sort())
})

test('the rows have the statuses that the sources have', () => {
  const stated = new Map(rows.map(({ code, status }) => [code, status]))
  const wrong = made.filter(({ code, status }) => status !== undefined && ![String(status), 'its own'].includes(stated.get(code) ?? ''))
  expect(wrong).toEqual([])
})

test('the rows have the types that are sent', () => {
  const sent = made.flatMap(({ code, status, type }) => {
    if (status === undefined) return []
    return [`${code} ${describeError(new HttpError(status, '', { code, ...(type && { type }) }), '')?.error.type}`]
  })
  const known = new Set(sent.map((one) => one.split(' ')[0]))
  const wrong = rows.filter(({ status, code, type }) => status !== 'its own' && known.has(code) && !sent.includes(`${code} ${type}`))
  expect(wrong).toEqual([])
})

test('codes are found in every way of making an error', () => {
  const source = `
    function refuse(param: string, message: string, code = 'by_default'): never {
      throw new HttpError(400, message, { param, code })
    }
    refuse('max_tokens', 'is (not) a "number", you see', 'by_call')
    throw new HttpError(404, \`\${a}, b\`, { type: 'a_type', param: 'x', code: 'by_hand' })
  `
  expect(madeErrors(source, errorMakers([source]))).toEqual([
    { code: 'by_default' },
    { code: 'by_call' },
    { code: 'by_hand', status: 404, type: 'a_type' },
  ])
})
