import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Client, Metadata } from '@grpc/grpc-js'
import { loadSync, type MethodDefinition } from '@grpc/proto-loader'
import { service as healthService } from 'grpc-health-check'
import { afterEach, expect, test } from 'vitest'
import { fakeParser } from '../testing/fake-parser.ts'
import { rawClient } from '../testing/raw-client.ts'
import { type ParserService, startParserService } from './parser-service.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function serve(): Promise<{ service: ParserService; client: Client; call: ReturnType<typeof rawClient>['call'] }> {
  const service = await startParserService({ parser: fakeParser() })
  closing.push(() => service.close(0))
  const raw = rawClient(service.port)
  closing.push(raw.close)
  return { service, client: raw.client, call: raw.call }
}

type Health = MethodDefinition<{ service: string }, { status: string }>

test.each(['', 'stickler.parser.v1.Parser'])(
  'the standard health of %j follows start and shutdown, and a watcher does not delay it',
  async (name) => {
    const { service, client, call } = await serve()
    expect(await call(healthService.Check as unknown as Health, { service: name })).toEqual({ reply: { status: 'SERVING' } })
    expect(await call(healthService.Check as unknown as Health, { service: 'other' })).toMatchObject({ code: 5 })
    const { path, requestSerialize, responseDeserialize } = healthService.Watch as unknown as Health
    const seen: string[] = []
    const watch = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { service: name }, new Metadata())
    watch.on('data', ({ status }: { status: string }) => seen.push(status))
    watch.on('error', () => {})
    await expect.poll(() => seen).toEqual(['SERVING'])
    await service.close(10_000)
    await expect.poll(() => seen).toEqual(['SERVING', 'NOT_SERVING'])
  },
)

test('reflection lists the services, and serves the files of ours', async () => {
  const { client } = await serve()
  const folder = join(dirname(createRequire(import.meta.url).resolve('@grpc/reflection/package.json')), 'build/proto')
  const definition = loadSync(join(folder, 'grpc/reflection/v1/reflection.proto'), { defaults: true, oneofs: true })
  const { ServerReflectionInfo } = definition['grpc.reflection.v1.ServerReflection'] as unknown as Record<
    string,
    MethodDefinition<object, Answer>
  >
  if (ServerReflectionInfo === undefined) throw new Error('no reflection')
  const { path, requestSerialize, responseDeserialize } = ServerReflectionInfo
  const ask = (request: object): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, new Metadata())
      stream.on('data', (answer: Answer) => {
        resolve(answer)
        stream.end()
      })
      stream.on('error', reject)
      stream.write(request)
    })
  const { listServicesResponse } = await ask({ listServices: '*' })
  expect(listServicesResponse?.service.map(({ name }) => name).sort()).toEqual(['grpc.health.v1.Health', 'stickler.parser.v1.Parser'])
  const files = (await ask({ fileContainingSymbol: 'stickler.parser.v1.Parser' })).fileDescriptorResponse?.fileDescriptorProto ?? []
  for (const name of ['stickler.parser.v1', 'end_line']) expect(Buffer.concat(files).includes(name)).toBe(true)
})

interface Answer {
  readonly listServicesResponse?: { readonly service: readonly { readonly name: string }[] }
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly Buffer[] }
}
