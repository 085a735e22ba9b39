import { ConfigurationError } from '@stickler/core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testEngine } from '../../../testing/engine-conformance.ts'
import { embedding, indexDocument } from '../../../testing/indexed-documents.ts'
import { type SearchServer, startSearch } from '../../../testing/search-server.ts'
import type { IndexEngine } from '../../index-engine.ts'
import { RetrieverUnavailable } from '../../retriever.ts'
import { elasticEngine } from './elastic-engine.ts'

describe.each(['elasticsearch', 'opensearch'] as const)('in %s', (product) => {
  let server: SearchServer
  const opened: IndexEngine[] = []
  let collections = 0
  beforeAll(async () => {
    server = await startSearch(product)
  })
  beforeEach(() => {
    server.intercept = undefined
  })
  afterAll(async () => {
    await Promise.all(opened.map((engine) => engine.close()))
    await server.close()
  })
  const open = (collection = `t${++collections}`, url = server.url, timeoutMs = 2000): IndexEngine => {
    const engine = elasticEngine(url, collection, timeoutMs)
    opened.push(engine)
    return engine
  }
  const texts = (hits: readonly { readonly text: string }[]): string[] => hits.map(({ text }) => text)

  testEngine({ open: (collection) => elasticEngine(server.url, collection), runs: 5 })

  test('a replacement that fails half-way leaves the old document, beside new passages at most, and the next one repairs all', async () => {
    for (const failing of ['POST /_bulk', '_delete_by_query']) {
      const engine = open()
      await engine.replace([indexDocument('a.md', [['old']])])
      server.intercept = (call, response) => {
        if (!call.endsWith(failing)) return false
        response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"reason":"full","type":"x"}}')
        return true
      }
      await expect(engine.replace([indexDocument('a.md', [['new']])])).rejects.toThrow(/full/)
      server.intercept = undefined
      expect(texts(await engine.searchText(['old'], 5))).toEqual(['old'])
      await engine.replace([indexDocument('a.md', [['last']])])
      expect(texts(await engine.searchText(['old', 'new', 'last'], 5))).toEqual(['last'])
    }
  })

  test('parts of a bulk request that fail are reported', async () => {
    const engine = open()
    server.intercept = (call, response) => {
      if (call !== 'POST /_bulk') return false
      const items = [{ index: { _id: '1', status: 201 } }, { index: { _id: '2', status: 429, error: { reason: 'queue is full' } } }]
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ errors: true, items }))
      return true
    }
    await expect(engine.replace([indexDocument('a.md', [['a']])])).rejects.toThrow(/1 of 2 entries: queue is full/)
  })

  test('several indexers at once end in one whole index', async () => {
    const engines = Array.from({ length: 4 }, () => open('several'))
    const paths = ['a', 'b', 'c']
    const whole = (at: number) =>
      paths.map((path) =>
        indexDocument(
          path,
          [
            [`w${at}`, 'x'],
            [`w${at}`, 'y'],
          ],
          [
            [1, 2],
            [2, 1],
          ],
        ),
      )
    await Promise.all(engines.map((engine, at) => engine.replace(whole(at), embedding)))
    const found = await engines[0]?.searchText(['x', 'y'], 50)
    expect(found?.length).toBe(6)
    for (const path of paths)
      expect(new Set(found?.filter(({ urn }) => urn.startsWith(path)).map(({ text }) => text.slice(0, 2))).size).toBe(1)
    expect(await engines[1]?.facts()).toEqual({ documents: 3, chunks: 6, embedding: { name: embedding, dimensions: 2 } })
    expect((await engines[2]?.searchVector(new Float32Array([1, 2]), embedding, 50))?.length).toBe(6)
  })

  test('credentials are sent, and never shown', async () => {
    const host = server.url.slice(server.url.indexOf('://') + 3)
    const withUser = open('x', `${product}+http://me:s%40cret-password@${host}`)
    await withUser.facts()
    expect(server.authorizations.at(-1)).toBe(`Basic ${Buffer.from('me:s@cret-password').toString('base64')}`)
    await open('x', `${product}+http://${host}/?api_key=secret-key-0123`).facts()
    expect(server.authorizations.at(-1)).toBe('ApiKey secret-key-0123')
    server.intercept = (_, response) => {
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end('{"error":{"reason":"wrong s@cret-password","type":"security_exception"}}')
      return true
    }
    const error = await withUser.searchText(['a'], 1).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RetrieverUnavailable)
    expect(`${error} ${JSON.stringify(error)}`).not.toContain('cret-password')
    expect(() => elasticEngine(`${product}+ftp://me:hidden-password@host`, 'x')).toThrow(expect.not.stringContaining('hidden'))
  })

  test('a server that hangs, breaks or is gone is unavailable, and an abort ends the wait', async () => {
    server.intercept = () => true
    await expect(open('x', server.url, 100).searchText(['a'], 1)).rejects.toBeInstanceOf(RetrieverUnavailable)
    const controller = new AbortController()
    const search = open().searchText(['a'], 1, controller.signal)
    setTimeout(() => controller.abort('enough'), 50)
    await expect(search).rejects.toBe('enough')
    server.intercept = (_, response) => {
      response.destroy()
      return true
    }
    await expect(open().searchText(['a'], 1)).rejects.toBeInstanceOf(RetrieverUnavailable)
    server.intercept = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
      return true
    }
    await expect(open().searchText(['a'], 1)).rejects.toBeInstanceOf(RetrieverUnavailable)
    await expect(open('x', `${product}+http://127.0.0.1:1`).searchText(['a'], 1)).rejects.toBeInstanceOf(RetrieverUnavailable)
  })
})

test('other addresses are rejected', () => {
  expect(() => elasticEngine('http://host', 'x')).toThrow(ConfigurationError)
})
