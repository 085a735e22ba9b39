import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { grpcParser } from '@stickler/parser/client'
import { describe, expect, test } from 'vitest'
import { runCli } from '../testing/run-cli.ts'

/** Runs `stickler parser` until it has said where it is, asks it, then ends it as a signal does. */
async function serveUntil(argv: readonly string[], act: (url: string) => Promise<void>) {
  const stop = new AbortController()
  let said = ''
  let acted: Promise<void> | undefined
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      said += chunk.toString()
      if (said.endsWith('\n')) acted ??= act(JSON.parse(said).url).finally(() => stop.abort('SIGTERM'))
      done()
    },
  })
  const ended = await runCli(['parser', '--port', '0', '--json', ...argv], { stdout, signal: stop.signal })
  await acted
  return { ...ended, line: said === '' ? undefined : JSON.parse(said) }
}

describe('stickler parser', () => {
  test('serves until it is ended, and prints the port that it took', async () => {
    const seen: unknown[] = []
    const { code, stderr, line } = await serveUntil([], async (url) => {
      const parser = grpcParser({ url, timeoutMs: 30_000 })
      await parser.ready()
      seen.push(await parser.parse('json', '{"a": }'), await parser.parse('json', '{}'), await parser.parse('cobol', 'x'))
      await parser.close()
    })
    expect(seen).toMatchObject([{ verdict: 'invalid', trace: [{ line: 1 }] }, { verdict: 'valid' }, { verdict: 'unsupported' }])
    expect(code).toBe(0)
    expect(line).toMatchObject({
      url: expect.stringMatching(/^grpc:\/\/127\.0\.0\.1:[1-9]\d+$/),
      languages: expect.arrayContaining(['json']),
    })
    expect(stderr).toContain(`stickler parser listens on ${line.url}\n`)
    expect(stderr).toContain('only this machine, without TLS')
  })

  test('turns away messages over the limit', async () => {
    await serveUntil(['--max-message', '2000'], async (url) => {
      const parser = grpcParser({ url, timeoutMs: 30_000 })
      await expect(parser.parse('json', `"${'x'.repeat(3000)}"`)).rejects.toMatchObject({ reason: 'too-large' })
      expect(await parser.parse('json', '""')).toEqual({ verdict: 'valid' })
      await parser.close()
    })
  })

  test('uses the catalogues that it is given', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'catalogue-'))
    const file = join(folder, 'avap.json')
    await writeFile(file, JSON.stringify({ commands: { sendMail: 2 } }))
    try {
      await serveUntil(['--catalogue', `avap=${file}`], async (url) => {
        const parser = grpcParser({ url, timeoutMs: 30_000 })
        expect(await parser.parse('avap', 'sendMail(a, b)')).toEqual({ verdict: 'valid' })
        expect(await parser.parse('avap', 'addResult(a)')).toMatchObject({ verdict: 'invalid' })
        await parser.close()
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test.each([
    [['--port', '65536'], "option '--port <number>' argument '65536' is invalid. Expected a whole number from 0 to 65535."],
    [['--timeout', '0'], "option '--timeout <seconds>' argument '0' is invalid. Expected a number of seconds above 0, at most 3600."],
    [['--max-message', '1'], "option '--max-message <bytes>' argument '1' is invalid. Expected a whole number from 1024 to 268435456."],
    [['--catalogue', 'avap'], "option '--catalogue <language=file>' argument 'avap' is invalid. Expected LANGUAGE=FILE."],
    [['--tls-cert', 'cert.pem'], '--tls-cert and --tls-key must be given together'],
    [['--tls-cert', 'nowhere.pem', '--tls-key', 'key.pem'], 'cannot read nowhere.pem: there is no such file'],
    [['--tls-cert', 'cert.pem', '--tls-key', 'key.pem'], 'cannot listen on 127.0.0.1:50051: the certificate or its key is wrong'],
    [['--host', '192.0.2.1'], 'cannot listen on 192.0.2.1:50051: this machine has no such address'],
  ])('%j is refused in one line', async (argv, message) => {
    const { code, stdout, stderr } = await runCli(['parser', ...argv], { files: { 'cert.pem': 'x', 'key.pem': 'y' } })
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `stickler: ${message}\n` })
  })
})
