import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { overrideConfig, readGatewayConfig, startGateway } from '@stickler/gateway'
import { catalogue } from '@stickler/presets'
import { expect, onTestFinished, test } from 'vitest'
import { root, scratchFolder, writeFiles } from './support/places.ts'
import { walk } from './support/walk.ts'

const readme = await readFile(join(root, 'README.md'), 'utf8')

test('the curl line of the README gets the reply that it describes, from the stickler.yaml above it', async () => {
  const yaml = /^```yaml file=stickler\.yaml\n(.*?)^```$/ms.exec(readme)?.[1] ?? ''
  const body = /^curl .*chat\/completions [^`]*?-d '(.*)'$/m.exec(readme)?.[1] ?? ''
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
      stickler: { status: 'repaired', attempts: 2, repairs: [{ rule: 'redact-email' }, { rule: 'trailing-comma' }] },
    })
  } finally {
    await gateway.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('edits of the stickler.yaml of the README take effect on SIGHUP, and not before', async () => {
  expect(readme).toContain('Edits of `stickler.yaml` take effect on SIGHUP')
  const yaml = /^```yaml file=stickler\.yaml\n(.*?)^```$/ms.exec(readme)?.[1] ?? ''
  const folder = await scratchFolder()
  await writeFiles(folder, { 'stickler.yaml': yaml })
  const served = spawn(process.execPath, [join(root, 'packages/cli/bin/stickler.js'), 'serve', '--port', '0'], { cwd: folder })
  onTestFinished(() => void served.kill('SIGKILL'))
  let said = ''
  for (const stream of [served.stdout, served.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  const address = /http:\/\/127\.0\.0\.1:\d+/
  await expect.poll(() => said, { timeout: 30_000 }).toMatch(address)
  const url = address.exec(said)?.[0] ?? ''
  const status = async (model: string): Promise<number> => {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Can I get my money back?' }] })
    return (await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status
  }
  await writeFiles(folder, { 'stickler.yaml': yaml.replace('model: support', 'model: help') })
  expect([await status('support'), await status('help')]).toEqual([200, 404])
  served.kill('SIGHUP')
  await expect.poll(() => status('help'), { timeout: 10_000 }).toBe(200)
  expect(await status('support')).toBe(404)
})

test('README and Getting started begin with `extract` and a client of a provider, and no example before the presets names a step marker', async () => {
  for (const page of [readme, await readFile(join(root, 'docs/guide/getting-started.md'), 'utf8')]) {
    const [first = ''] = /(?<=^```ts .*\n)[\s\S]*?(?=^```$)/m.exec(page) ?? []
    expect(first).toMatch(/from 'openai'[\s\S]*await extract\(\{\n {2}schema: Ticket/)
  }
  expect(readme.slice(0, readme.indexOf('## Validators'))).not.toMatch(/step.?marker|STEP:/i)
})

test('the index of the documentation names every page, and the README every preset', async () => {
  const index = await readFile(join(root, 'docs/README.md'), 'utf8')
  const pages = (await walk()).filter((path) => /^docs\/(?!decisions\/|README).*\.md$/.test(path)).map((path) => path.slice('docs/'.length))
  expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([])
  expect(Object.keys(catalogue.presets).filter((name) => !readme.includes(`| [\`${name}\`](`))).toEqual([])
})

test('the glossary explains every status, class and decision, in the order of the alphabet', async () => {
  const page = await readFile(join(root, 'docs/glossary.md'), 'utf8')
  for (const word of ['valid', 'repaired', 'unresolved', 'unchecked', 'failed', 'lossless', 'lossy', 'guess', 'deliver', 'give-up'])
    expect(page).toContain(`\`${word}\``)
  for (const section of page.split('\n## ').slice(1)) {
    const words = [...section.matchAll(/^\| ([a-z][a-z -]*) \| /gm)].map(([, word]) => word).slice(1)
    expect(words).toEqual([...words].sort())
  }
})
