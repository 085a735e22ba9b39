import { expect, test } from 'vitest'
import { runCli } from '../testing/run-cli.ts'

test('stickler schema prints a JSON Schema', async () => {
  const { code, stdout, stderr } = await runCli(['schema'])
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toMatchObject({
    $schema: 'http://json-schema.org/draft-07/schema#',
    properties: { routes: {}, contracts: {} },
  })
})
