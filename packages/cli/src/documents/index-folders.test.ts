import { execFileSync } from 'node:child_process'
import { rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { requireBuilt } from '../../../../e2e/support/require-built.ts'
import { folderWith, runCli } from '../testing/run-cli.ts'

beforeAll(() => requireBuilt(['core', 'ask']))

const docs = { 'docs/a.md': '# Streams\n\nText is released as soon as it is safe.\n', 'docs/sub/b.txt': 'Runs are kept for a month.\n' }

describe('stickler index', () => {
  it('brings the index up to date, and says what it did', async () => {
    const cwd = await folderWith(docs)
    const first = await runCli(['index', 'docs'], { cwd })
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(/^docs: 2 added, 0 changed, 0 removed, 0 unchanged; 2 chunks in \d+\.\d s\n/)
    expect(first.stdout).toMatch(/\n\.stickler\/index\.db \(default\): 2 documents, 2 chunks, vectors of local:\S+\n$/)
    await writeFile(join(cwd, 'docs/a.md'), '# Streams\n\nChanged.\n')
    await rm(join(cwd, 'docs/sub'), { recursive: true })
    expect((await runCli(['index', '--dry-run', 'docs'], { cwd })).stdout).toMatch(
      /^docs: 0 added, 1 changed, 1 removed, 0 unchanged; 1 chunk would be written\n/,
    )
    const { code, stdout } = await runCli(['index', '--json', 'docs'], { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      index: '.stickler/index.db',
      collection: 'default',
      documents: 1,
      chunks: 1,
      dryRun: false,
      folders: [
        {
          folder: 'docs',
          name: 'docs',
          added: [],
          changed: ['docs/a.md'],
          removed: ['docs/sub/b.txt'],
          unchanged: 0,
          skipped: [],
          chunks: 1,
        },
      ],
    })
    expect(await runCli(['index', '--quiet', 'docs'], { cwd })).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('takes several folders and files, from any folder', async () => {
    const cwd = await folderWith({ ...docs, 'README.md': '# Read me\n', 'sub/x': '' })
    await runCli(['index', '../docs', '../README.md', '../docs', '--config', '../stickler.yaml'], { cwd: join(cwd, 'sub') }).then((ended) =>
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/cannot read \.\.\/stickler\.yaml/) }),
    )
    await writeFile(join(cwd, 'stickler.yaml'), 'retrieval: { index: data/passages.db, embeddings: none }\n')
    const ended = await runCli(['index', '--json', '../docs', '../README.md', '--config', '../stickler.yaml'], { cwd: join(cwd, 'sub') })
    const { index, folders, embedding } = JSON.parse(ended.stdout) as { index: string; folders: { added: string[] }[]; embedding?: unknown }
    expect([index, embedding, folders.map(({ added }) => added)]).toEqual([
      '../data/passages.db',
      undefined,
      [['docs/a.md', 'docs/sub/b.txt'], ['README.md']],
    ])
  })

  it('touches nothing that is not below the folder it was given, and gives a file one path', async () => {
    const top = await folderWith({ 'x/alpha.md': 'Alpha.\n', 'proj/sub/b.md': 'Beta.\n', 'proj/deep/docs/c.md': 'Gamma.\n' })
    const cwd = join(top, 'proj/deep')
    const done = async (...argv: string[]) => {
      const ended = await runCli(['index', '--json', ...argv], { cwd })
      const { folders } = JSON.parse(ended.stdout) as { folders: { added: string[]; removed: string[] }[] }
      return folders.map(({ added, removed }) => [added, removed])
    }
    expect(await done('../../x', '../sub', 'docs')).toEqual([
      [['../../x/alpha.md'], []],
      [['../sub/b.md'], []],
      [['docs/c.md'], []],
    ])
    for (const folder of ['.', '..', '../..', '../deep/docs']) expect(await done(folder)).toEqual([[[], []]])
    await symlink(top, join(top, 'link'))
    expect(await done('../../link/proj')).toEqual([[[], []]])
    await rm(join(cwd, 'docs/c.md'))
    expect(await done('docs/c.md')).toEqual([[[], ['docs/c.md']]])
    expect(await runCli(['index', 'docs/c.md'], { cwd })).toMatchObject({ code: 2, stderr: expect.stringMatching(/there is no such file/) })
  })

  it('keeps collections apart, and --rebuild empties only its own', async () => {
    const cwd = await folderWith({ ...docs, 'other/c.md': 'Other.\n' })
    await runCli(['index', 'docs'], { cwd })
    await runCli(['index', 'other', '--collection', 'second'], { cwd })
    const { stdout } = await runCli(['index', 'other', '--collection', 'second', '--rebuild'], { cwd })
    expect(stdout).toMatch(/^other: 1 added.*\n.*\(second\): 1 document,/)
    expect((await runCli(['index', 'docs'], { cwd })).stdout).toMatch(/2 unchanged/)
  })

  it('changes the embeddings only with --rebuild', async () => {
    const cwd = await folderWith({ ...docs, 'other/c.md': 'Other.\n' })
    await runCli(['index', 'docs', 'other'], { cwd })
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        const { input } = JSON.parse(body) as { input: string[] }
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ data: input.map((_, index) => ({ index, embedding: [1, index + 1, 0.5] })) }))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    await writeFile(join(cwd, 'stickler.yaml'), `retrieval: { embeddings: { baseUrl: '${baseUrl}', model: small } }\n`)
    const refused = await runCli(['index', 'docs'], { cwd })
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/^the index holds vectors of .*--rebuild/) })
    expect((await runCli(['index', 'docs', 'other', '--rebuild'], { cwd })).stdout).toMatch(/3 documents, 3 chunks, vectors of .*small/)
  })

  it('needs the key of the embeddings', async () => {
    const cwd = await folderWith({
      ...docs,
      'stickler.yaml': 'retrieval: { embeddings: { baseUrl: "http://127.0.0.1:9/v1", model: small, apiKeyEnv: EMBEDDING_KEY } }\n',
    })
    expect(await runCli(['index', 'docs'], { cwd })).toMatchObject({ code: 2, stderr: expect.stringMatching(/EMBEDDING_KEY is not set/) })
  })
})

it('leaves out what is not text, links out of the folder and pipes, and says so', async () => {
  const outside = await folderWith({ 'secret.md': 'secret' })
  const cwd = await folderWith({
    ...docs,
    'docs/picture.png': new Uint8Array([0x89, 0x50, 0, 0]),
    'docs/latin.txt': new Uint8Array([0x47, 0xfc]),
    'docs/\u001b[31mred.md': new Uint8Array([0]),
  })
  await symlink(join(outside, 'secret.md'), join(cwd, 'docs/link.md'))
  await symlink('.', join(cwd, 'docs/loop'))
  execFileSync('mkfifo', [join(cwd, 'docs/pipe.md')])
  const { code, stdout, stderr } = await runCli(['index', 'docs'], { cwd })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^docs: 2 added, .*, 6 skipped;/)
  expect(stderr.split('\n').sort()).toEqual([
    '',
    'stickler: skipped docs/\\x1b[31mred.md: it is a binary file',
    'stickler: skipped docs/latin.txt: it is not UTF-8',
    'stickler: skipped docs/link.md: it is a symbolic link, and links are not followed',
    'stickler: skipped docs/loop: it is a symbolic link, and links are not followed',
    'stickler: skipped docs/picture.png: it is a binary file',
    'stickler: skipped docs/pipe.md: it is a named pipe, not a regular file',
  ])
})

test.each<[string, readonly string[], RegExp]>([
  ['no folder', ['index'], /missing required argument/],
  ['a folder that is not there', ['index', 'docs', 'nowhere'], /^stickler: cannot index nowhere: there is no such file\n$/],
  ['a device', ['index', '/dev/null'], /cannot index \/dev\/null: it is a device/],
  ['a wrong collection', ['index', 'docs', '--collection', 'No!'], /--collection has at most 63/],
  ['a wrong configuration', ['index', 'docs', '--config', 'wrong.yaml'], /wrong\.yaml:1:\d+: retrieval\.chunk: .*did you mean "chunks"/],
])('%s is an error before anything is written', async (_, argv, says) => {
  const cwd = await folderWith({ ...docs, 'wrong.yaml': 'retrieval: { chunk: 5 }\n' })
  expect(await runCli(argv, { cwd })).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(says) })
  expect(execFileSync('ls', ['-A', cwd]).toString()).not.toContain('.stickler')
})

it('shows a bar on a terminal only', async () => {
  let time = 0
  const setting = { cwd: await folderWith(docs), env: { NO_COLOR: '1' }, now: () => (time += 450) }
  expect((await runCli(['index', 'docs'], { ...setting, terminals: ['stderr'] })).stderr).toMatch(
    /\[#*-*\] \d+ % {2}\d of 2 files.*\r\p{Cc}\[K$/su,
  )
  expect((await runCli(['index', 'docs'], setting)).stderr).toBe('')
})
