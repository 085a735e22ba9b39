import { catalogue } from '@stickler/presets'
import { expect, it } from 'vitest'
import { runCli } from '../testing/run-cli.ts'

it('lists every validator with every option, and every preset', async () => {
  const { code, stdout, stderr } = await runCli(['list'])
  expect([code, stderr]).toEqual([0, ''])
  for (const { definition } of catalogue.validators) {
    expect(stdout).toContain(`\n${definition.name}`)
    expect(stdout).toContain(definition.summary)
    for (const code of Object.keys(definition.codes)) expect(stdout).toContain(code)
  }
  for (const name of Object.keys(catalogue.presets)) expect(stdout).toContain(`\n${name}\n`)
  expect(stdout).toMatch(/^ {4}limit {2}integer {2}required {2}Maximum number of words\. Short form: `max_words: …`\.$/m)
  for (const name of ['step_marker', 'citations', 'json']) expect(stdout).toMatch(new RegExp(`^${name} \\(can repair\\)$`, 'm'))
  expect(stdout).toMatch(/^max_words$/m)
  expect(stdout).not.toMatch(/\[object|=>/)
})

it('gives the same as data', async () => {
  const { stdout } = await runCli(['list', '--json'])
  expect(stdout).not.toContain('null')
  expect(JSON.parse(stdout)).toMatchObject({
    validators: expect.arrayContaining([
      {
        name: 'max_words',
        summary: expect.any(String),
        options: [{ name: 'limit', type: 'integer', required: true, description: 'Maximum number of words. Short form: `max_words: …`.' }],
        codes: ['MAX_WORDS'],
        repairs: false,
      },
    ]),
    presets: [
      { name: 'avap', retries: 1, unresolved: 'deliver' },
      { name: 'helix', repair: 'last', checks: [{ step_marker: {} }, { adr_structure: { language: 'de' } }, { file_existence: {} }] },
      { name: 'reddb' },
      { name: 'techtime' },
    ],
  })
})
