import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError } from '@stickler/core'
import { manualClock } from '@stickler/core/testing'
import { describe, expect, it } from 'vitest'
import { createUpstream } from '../testing/create-upstream.ts'
import { startProgrammableUpstream } from '../testing/programmable-upstream.ts'
import { answering } from '../testing/programmable-upstream-answers.ts'
import { failing } from '../testing/programmable-upstream-faults.ts'
import { asking, calling, readChoice, readFirst } from '../testing/programmable-upstream-reading.ts'
import type { UpstreamSettings } from './kinds/upstream-kind.ts'

describe('scripted', () => {
  it('plays its answers in turn, again and again', async () => {
    const upstream = await createUpstream({
      kind: 'scripted',
      name: 'demo',
      answers: ['first', { text: 'second', finishReason: 'length' }],
    })
    const texts: string[] = []
    for (let count = 0; count < 3; count++) texts.push((await readFirst(upstream.call(asking('hi'), calling()))).text)
    expect(texts).toEqual(['first', 'second', 'first'])
  })

  it('streams in pieces, calls tools, fails, and gives several choices', async () => {
    const toolCalls = [{ id: 'a', name: 'f', arguments: '{}' }]
    const upstream = await createUpstream({
      kind: 'scripted',
      name: 'demo',
      retry: { retries: 0 },
      answers: [
        { text: 'abcdef', chunkSize: 2 },
        { toolCalls, usage: { promptTokens: 1, completionTokens: 2 } },
        { status: 503 },
        { failure: { kind: 'timeout' } },
        'x',
        'y',
      ],
    })
    const { events } = await readFirst(upstream.call(asking('hi', { stream: true }), calling()))
    expect(events.map((event) => (event.type === 'text' ? event.text : event.type))).toEqual(['ab', 'cd', 'ef', 'end'])
    const call = upstream.call(asking('hi'), calling())
    expect((await readFirst(call)).end).toMatchObject({ toolCalls, finishReason: 'tool_calls', message: { content: null } })
    expect(call.head()).toMatchObject({ usage: { promptTokens: 1, completionTokens: 2 }, rawUsage: { total_tokens: 3 } })
    expect((await readFirst(upstream.call(asking('hi'), calling()))).failure).toMatchObject({ kind: 'http', details: { status: 503 } })
    expect((await readFirst(upstream.call(asking('hi'), calling()))).failure).toMatchObject({ kind: 'timeout' })
    const { choices } = upstream.call(asking('hi', { n: 2 }), calling())
    expect((await Promise.all(choices.map(readChoice))).map(({ text }) => text)).toEqual(['x', 'y'])
  })

  it('stops when the caller gives up, with no timer left', async () => {
    const clock = manualClock()
    const controller = new AbortController()
    const upstream = await createUpstream(
      { kind: 'scripted', name: 'demo', answers: [{ text: 'abc', chunkSize: 1, delayMs: 10 }] },
      { clock },
    )
    const reading = readFirst(upstream.call(asking('hi', { stream: true }), calling({ signal: controller.signal })))
    await clock.advanceAsync(15)
    controller.abort()
    expect(await reading).toMatchObject({ text: 'a', failure: { kind: 'aborted' } })
    expect(clock.pending).toBe(0)
  })
})

describe('claude-cli', () => {
  it('runs the command with its configured model only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stickler-upstream-'))
    const command = join(folder, 'claude')
    const result =
      '{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"\'"$*"\'","usage":{"input_tokens":1,"output_tokens":2}}'
    writeFileSync(command, `#!/bin/sh\ncat > /dev/null\necho '${result}'\n`)
    chmodSync(command, 0o755)
    const upstream = await createUpstream({ kind: 'claude-cli', name: 'cli', command, model: 'sonnet' })
    const call = upstream.call(asking('hi', { model: '--dangerous' }), calling())
    const { text, end } = await readFirst(call)
    expect(text).toContain('--model sonnet')
    expect(text).not.toContain('dangerous')
    expect(end?.message).toEqual({ role: 'assistant', content: text })
    expect(call.head()).toMatchObject({ usage: { promptTokens: 1, completionTokens: 2 } })
    rmSync(folder, { recursive: true })
  })
})

describe('the factory', () => {
  it('brings retries and a breaker, and tells of its changes', async () => {
    const server = await startProgrammableUpstream(answering('fine'))
    const changes: string[] = []
    const upstream = await createUpstream(
      { kind: 'anthropic', name: 'claude', baseUrl: server.url, retry: { retries: 1, baseDelayMs: 1 }, breaker: { failures: 3 } },
      { onBreaker: (name, state) => changes.push(`${name} ${state}`) },
    )
    server.enqueue(failing(529))
    const { choices } = upstream.call(asking('hi', { n: 2 }), calling())
    expect((await Promise.all(choices.map(readChoice))).map(({ text }) => text)).toEqual(['fine', 'fine'])
    expect(server.requests.length).toBe(3)
    server.otherwise(failing(500))
    for (let count = 0; count < 2; count++) await readFirst(upstream.call(asking('hi'), calling()))
    expect(changes).toEqual(['claude open'])
    await upstream.close()
    await upstream.close()
    await server.close()
  })

  it.each<[string, object]>([
    ['no answers', { kind: 'scripted', name: 'x', answers: [] }],
    ['a bad breaker', { kind: 'scripted', name: 'x', answers: ['x'], breaker: { failures: 0 } }],
    ['a bad path style', { kind: 'openai', name: 'x', baseUrl: 'http://host', pathStyle: 'other' }],
  ])('%s is refused', async (_, settings) => {
    await expect(createUpstream(settings as UpstreamSettings)).rejects.toThrow(ConfigurationError)
  })
})
