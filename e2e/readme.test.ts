import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { overrideConfig, readGatewayConfig, startGateway } from '@stickler/gateway'
import { expect, test } from 'vitest'
import { root } from './support/places.ts'

const readme = await readFile(join(root, 'README.md'), 'utf8')

test('the curl line of the README gets the reply that it describes, from the stickler.yaml above it', async () => {
  const yaml = /^```yaml file=stickler\.yaml\n(.*?)^```$/ms.exec(readme)?.[1] ?? ''
  const body = /^curl .*chat\/completions .*-d '(.*)'$/m.exec(readme)?.[1] ?? ''
  const content = /Its content is `(.*?)`/.exec(readme)?.[1]
  const folder = await mkdtemp(join(tmpdir(), 'stickler-readme-'))
  const config = await readGatewayConfig(yaml, 'stickler.yaml', { cwd: folder, env: {}, readFile: async () => '' })
  const gateway = await startGateway({ config: overrideConfig(config, { port: 0 }, folder), log: { write: () => {} } })
  try {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body,
    })
    expect(await response.json()).toMatchObject({
      choices: [{ message: { content } }],
      stickler: { status: 'repaired', attempts: 2, repairs: [{ rule: 'trailing-comma' }, { rule: 'redact-email' }] },
    })
  } finally {
    await gateway.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('the first screen is JSON with a schema, and no example before the presets names a step marker', () => {
  expect(readme.split('\n').slice(0, 40).join('\n')).toContain('json({ schema: Ticket })')
  expect(readme.slice(0, readme.indexOf('## Validators'))).not.toMatch(/step.?marker|STEP:/i)
})
