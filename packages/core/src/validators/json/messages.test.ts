import { expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { accounts, schemaMistakes } from '../../testing/schema-mistakes.ts'
import { json } from './index.ts'

test.each(schemaMistakes)('%j says what is wrong in German', async (schema, value, german) => {
  const { issues } = await check(contract({ checks: [json({ schema: schema as never })], locale: 'de' }), JSON.stringify(value))
  expect(issues.map(({ message }) => message)).toEqual([german])
})

test('quotes in German what only a library says', async () => {
  const { issues } = await check(contract({ checks: [json({ schema: accounts })], locale: 'de' }), '{"age":3,"mail":"m","code":"x"}')
  expect(issues.map(({ message }) => message)).toEqual([
    'Setze age auf mindestens 18; es ist 3.',
    'Setze mail auf eine E-Mail-Adresse, etwa name@example.com; es ist die Zeichenkette m.',
    'Korrigiere code; das Schema meldet "This code is taken".',
  ])
})
