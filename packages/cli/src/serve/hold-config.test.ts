import { ConfigurationError } from '@stickler/core'
import { demoConfig, type GatewayConfig, overrideConfig } from '@stickler/gateway'
import { describe, expect, it } from 'vitest'
import type { Cli } from '../cli.ts'
import { holdConfig } from './hold-config.ts'

const first = await demoConfig('/nowhere')

function held(load: () => Promise<GatewayConfig>, onReload = async (_next: GatewayConfig): Promise<unknown> => undefined) {
  const lines: string[] = []
  const cli = { io: {} as Cli['io'], note: (line: string) => void lines.push(line) }
  return { holder: holdConfig(first, { load }, cli, { isQuiet: false, onReload }), lines }
}

describe('a configuration that can be loaded again', () => {
  it('takes a good one over; who has the old one keeps it', async () => {
    const next = { ...first, log: { ...first.log, level: 'debug' as const } }
    const { holder, lines } = held(async () => next)
    const before = holder.current
    expect(await holder.reload()).toBe(true)
    expect(holder.current).toBe(next)
    expect(before).toBe(first)
    expect(lines).toEqual(['reloaded demo'])
  })
  it('names what needs a restart', async () => {
    const { holder, lines } = held(async () => overrideConfig(first, { port: 1, host: '::1', workers: 2, store: 'sqlite::memory:' }, '/'))
    await holder.reload()
    expect(lines).toEqual(['reloaded demo; needs a restart: server.host, server.port, server.workers, store.url'])
  })
  it('names it again until the restart, and no more when it is taken back', async () => {
    const ports = [1, 1, 8787]
    const { holder, lines } = held(async () => overrideConfig(first, { port: ports.shift() }, '/'))
    for (const _ of [1, 2, 3]) await holder.reload()
    expect(lines.map((line) => line.split('; ')[1])).toEqual(['needs a restart: server.port', 'needs a restart: server.port', undefined])
  })
  it('keeps the old one when the new one is bad, and says so with every problem', async () => {
    const problems = [
      { message: 'first', path: ['a'] },
      { message: 'second', path: ['b'] },
    ]
    const { holder, lines } = held(async () => Promise.reject(new ConfigurationError(problems)))
    expect(await holder.reload()).toBe(false)
    expect(holder.current).toBe(first)
    expect(lines).toEqual(['demo was not reloaded, the previous configuration stays in use: 2 problems', 'a: first', 'b: second'])
  })
  it('keeps the old one when the listener refuses the new one later', async () => {
    const { holder, lines } = held(
      async () => ({ ...first }),
      () => Promise.reject(new Error('no such file')),
    )
    expect([await holder.reload(), holder.current === first]).toEqual([false, true])
    expect(lines).toEqual(['demo was not reloaded, the previous configuration stays in use: no such file'])
  })
  it('loads one after the other, so that the last word wins', async () => {
    const gates: ((config: GatewayConfig) => void)[] = []
    const { holder } = held(() => new Promise((resolve) => gates.push(resolve)))
    const both = [holder.reload(), holder.reload()]
    const older = { ...first, file: 'older' }
    const newer = { ...first, file: 'newer' }
    await Promise.resolve()
    expect(gates).toHaveLength(1)
    gates[0]?.(older)
    await both[0]
    expect(holder.current).toBe(older)
    gates[1]?.(newer)
    expect(await Promise.all(both)).toEqual([true, true])
    expect(holder.current).toBe(newer)
  })
})
