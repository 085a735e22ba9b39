import { dirname, resolve } from 'node:path'
import { commandStore, openReader, type ReadStore, type RunReader, StoreUnavailable } from '@stickler/gateway/internal'
import type { Cli } from '../cli.ts'
import { configName } from '../config/config-name.ts'
import { asUsage, loadConfig } from '../config/files.ts'
import { UnreachableError, UsageError } from '../errors.ts'
import { whyNot } from '../files/why-not.ts'
import type { SourceFlags } from './filter-options.ts'
import { gatewayReader } from './gateway-reader.ts'

/** Reads recorded runs from a store or a gateway, and closes what it opened. */
export async function readHistory<Result>(flags: SourceFlags, cli: Cli, read: (reader: RunReader) => Promise<Result>): Promise<Result> {
  const reader = await open(flags, cli)
  try {
    return await read(reader)
  } catch (error) {
    throw error instanceof StoreUnavailable ? new UnreachableError(`cannot read the store: ${error.message}`) : error
  } finally {
    await reader.close()
  }
}

async function open(flags: SourceFlags, cli: Cli): Promise<RunReader> {
  const { url, store, config: file, keyEnv } = flags
  if (url !== undefined) {
    if (store !== undefined || file !== undefined) throw new UsageError('--url excludes --store and --config')
    return gatewayReader({ url, key: cli.io.env[keyEnv] || undefined, keyEnv, signal: cli.signal })
  }
  const { cwd, env } = cli.io
  // With --store, no valid configuration is needed.
  const config = store === undefined || file !== undefined ? await loadConfig(file, cli.io) : undefined
  const folder = dirname(resolve(cwd, file ?? configName))
  const over = store === undefined ? {} : { over: { url: store, cwd } }
  const { shown, url: address } = asUsage(
    () => commandStore(config?.value, { env, folder, ...over }),
    store === undefined ? undefined : '--store',
  )
  const found = await openStore(address, shown)
  if (found.state === 'memory') throw new UsageError('an in-memory store can only be read through its gateway; use --url')
  if (found.state === 'missing') {
    if (store !== undefined) throw new UsageError(`there is no store ${shown}`)
    cli.note(`there is no store ${shown} yet; \`stickler serve\` creates it`)
  }
  return found.reader
}

async function openStore(address: string, shown: string): Promise<ReadStore> {
  try {
    return await openReader(address)
  } catch (error) {
    const why = error instanceof StoreUnavailable ? error.message : whyNot(error)
    throw new UnreachableError(`cannot read the store ${shown}: ${why}`)
  }
}
