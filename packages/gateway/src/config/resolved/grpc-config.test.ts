import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { restartNeeded } from '../live/restart-keys.ts'
import { readGatewayConfig } from '../reading/read-gateway-config.ts'
import { readGrpcTls } from './grpc-config.ts'

const base = `upstreams: [{ name: up, kind: scripted, answers: [Hi.] }]
retrieval: {}
ask: { upstreams: [up], pipeline: avap }
`

const read = (source: string) =>
  readGatewayConfig(source, 'stickler.yaml', { env: {}, cwd: '/etc/gateway', readFile: () => Promise.reject(new Error('no files here')) })

describe('grpc', () => {
  test('has a usual address, and files beside the configuration', async () => {
    expect((await read(base)).grpc).toBeUndefined()
    expect((await read(`${base}grpc: {}`)).grpc).toEqual({ host: '127.0.0.1', port: 50_052 })
    expect((await read(`${base}grpc: { host: "::1", port: 0, tls: { cert: tls/a.pem, key: /keys/b.pem } }`)).grpc).toEqual({
      host: '::1',
      port: 0,
      tls: { cert: '/etc/gateway/tls/a.pem', key: '/keys/b.pem' },
    })
  })

  test.each([
    ['a key that nobody knows', `${base}grpc: { prot: 1 }`, /^stickler\.yaml:4:9: grpc\.prot: .*did you mean "?port"?/m],
    ['a port beyond the last', `${base}grpc: { port: 70000 }`, /^stickler\.yaml:4:\d+: grpc\.port: /m],
    ['half of TLS', `${base}grpc: { tls: { cert: a.pem } }`, /^stickler\.yaml:4:\d+: grpc\.tls(?:\.key)?: /m],
    ['no pipeline', base.replace(', pipeline: avap', '').concat('grpc: {}'), /^stickler\.yaml:4:\d+: grpc: .*set ask\.pipeline$/m],
    ['no ask', `upstreams: []\ngrpc: {}`, /^stickler\.yaml:2:\d+: grpc: .*set ask\.pipeline$/m],
  ])('%s', async (_, source, message) => {
    await expect(read(source)).rejects.toThrow(message)
  })

  test('a changed one needs a restart', async () => {
    const before = await read(`${base}grpc: {}`)
    expect(restartNeeded(before, await read(`${base}grpc: { port: 1 }`))).toEqual(['grpc.port (stickler.yaml:4:9)'])
    expect(restartNeeded(before, await read(base))).toEqual(['grpc'])
    expect(restartNeeded(before, await read(`${base}grpc: {}`))).toEqual([])
  })

  test('files that cannot be read are named', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stickler-tls-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const cert = join(folder, 'cert.pem')
    await writeFile(cert, 'x')
    const files = (key: string) => ({ host: '', port: 0, tls: { cert, key } })
    await expect(readGrpcTls(files(folder))).rejects.toThrow(/^grpc\.tls\.key: cannot read /)
    await expect(readGrpcTls(files(join(folder, 'none')))).rejects.toThrow(/^grpc\.tls\.key: cannot read .*none: there is no such file$/)
    expect(await readGrpcTls(files(cert))).toEqual({ cert: 'x', key: 'x' })
  })
})
