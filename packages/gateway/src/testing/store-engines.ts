import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import Database from 'libsql'
import pg from 'pg'
import { startPostgres, type TestPostgres } from '../../../../e2e/support/postgres.ts'

/** A database that a test can take away and give back. */
export interface TestDatabase {
  readonly url: string
  /** Nothing can be written from now on. */
  fail(): void
  /** Makes the database refuse runs with a model. */
  forbidModel(model: string): Promise<void>
  /** Connections stay open and nothing comes through; only where there is a network. */
  stall(): void
  /** Everything works again. */
  mend(): void
  close(): Promise<void>
}

/** A kind of database that the behaviours of the store are tested with. */
export interface TestEngine {
  readonly name: 'sqlite' | 'postgres'
  /** Called once before all tests. */
  start(): Promise<void>
  newDatabase(folder: string): Promise<TestDatabase>
  stop(): Promise<void>
}

/** Every kind of database, for `describe.each`. */
export function testEngines(): readonly TestEngine[] {
  return [sqlite(), postgres()]
}

function sqlite(): TestEngine {
  return {
    name: 'sqlite',
    start: async () => {},
    async newDatabase(folder) {
      const path = join(folder, 'state.db')
      let blocker: InstanceType<typeof Database> | undefined
      return {
        url: `sqlite:${path}`,
        fail() {
          blocker = new Database(path)
          blocker.exec('begin immediate')
        },
        async forbidModel(model) {
          const database = new Database(path)
          database.exec(
            `create trigger forbid before insert on runs when new.model = '${model}' begin select raise(abort, 'forbidden'); end`,
          )
          database.close()
        },
        stall: () => {},
        mend: () => void blocker?.close(),
        close: async () => {},
      }
    },
    stop: async () => {},
  }
}

function postgres(): TestEngine {
  let server: TestPostgres | undefined
  return {
    name: 'postgres',
    async start() {
      server = await startPostgres()
    },
    async newDatabase() {
      if (!server) throw new Error('PostgreSQL is not running')
      return behindGate(await server.newDatabase())
    },
    stop: async () => server?.stop(),
  }
}

/** A proxy on loopback in front of a server, which can be closed. */
async function behindGate(url: string): Promise<TestDatabase> {
  const target = new URL(url)
  const port = Number(target.port)
  const sockets = new Set<Socket>()
  let state: 'open' | 'shut' | 'silent' = 'open'
  const gate = createServer((client) => {
    const server = connect(port, target.hostname)
    for (const [socket, other] of [[client, server] as const, [server, client] as const]) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    if (state === 'shut') client.destroy()
    else if (state === 'open') client.pipe(server).pipe(client)
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  const address = gate.address()
  target.port = String(typeof address === 'object' && address ? address.port : '')
  const shut = () => {
    state = 'shut'
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: target.href,
    fail: shut,
    async forbidModel(model) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`alter table runs add check (model <> '${model}')`)
      await client.end()
    },
    stall() {
      state = 'silent'
      for (const socket of sockets) socket.unpipe()
    },
    mend: () => {
      state = 'open'
    },
    async close() {
      shut()
      await new Promise((resolve) => gate.close(resolve))
    },
  }
}
