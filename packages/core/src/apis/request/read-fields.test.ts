import { expect, test } from 'vitest'
import type * as z from 'zod'
import { chat } from '../chat/chat.ts'
import { describeApi } from '../describe-api.ts'
import { messages } from '../messages/messages.ts'
import { responses } from '../responses/responses.ts'
import { describedBody } from './described-body.ts'
import { checkFields, type FieldKind, type FieldTable } from './read-fields.ts'

const values: readonly unknown[] = [
  ...[undefined, null, true, false, 0, -0, 1, -1, 1.5, 2 ** 53, 1e308, Number.NaN, Number.POSITIVE_INFINITY, '', 'a', '1', '\u0000'],
  ...[[], [[]], ['a'], ['a', 1], [{}], [{}, []], [null], {}, { length: 1 }, { a: [] }, JSON.parse('{"__proto__":1}')],
]
const kinds: readonly FieldKind[] = [
  ...(['boolean', 'number', 'integer', 'count', 'size', 'text', 'name', 'object', 'list', 'objects', 'texts'] as const),
  ...(['text or texts', 'text or object', 'text or list'] as const),
]

test.each(kinds)('a request with %s is refused exactly where its description refuses it', (kind) => {
  const table: FieldTable = new Map([['field', kind]])
  const schema = describedBody(table, {})
  for (const field of values) {
    const check = () => checkFields({ field }, table)
    if (schema.safeParse({ field }).success) expect(check, JSON.stringify(field)).not.toThrow()
    else expect(check, JSON.stringify(field)).toThrow(/^field must be /)
  }
})

const least = { model: 'm', messages: [{ role: 'user', content: 'hi' }], input: 'hi', max_tokens: 9 }

test.each([chat, messages, responses])('what the description of $name allows is read, and what it refuses is not', (api) => {
  const body = describeApi(api).body?.['application/json'] as z.ZodObject
  const { messages: said, input, ...rest } = least
  const sent = { ...rest, ...(api === responses ? { input } : { messages: said }) }
  for (const name of Object.keys(body.shape)) {
    for (const value of [true, 1.5, [1], [[]], { a: 1 }]) {
      const isDescribed = body.safeParse({ ...sent, [name]: value }).success
      const read = () => {
        const { refused } = api.read({ ...sent, [name]: value })
        if (refused !== undefined) throw refused
      }
      // The reader knows more than the description: which values mean something.
      if (!isDescribed) expect(read, `${name}: ${JSON.stringify(value)}`).toThrow()
    }
  }
})
