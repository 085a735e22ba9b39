import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readGatewayConfig } from '@stickler/gateway'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { root } from './support/places.ts'

const text = (name: string): string => readFileSync(join(root, 'deploy', name), 'utf8')
const command = join(root, 'packages/cli/bin/stickler.js')
const dockerfile = text('Dockerfile').split('\n')
const instructions = (name: string): string[] =>
  dockerfile.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))
const health = JSON.parse(dockerfile.find((line) => line.startsWith('HEALTHCHECK'))?.replace(/^.*? CMD /, '') ?? '[]') as string[]
const compose = parse(text('compose.yaml')) as {
  services: Record<
    'stickler' | 'postgres',
    Record<string, unknown> & { environment: Record<string, string>; volumes: string[]; ports: string[] }
  >
}
type Manifest = { kind: string; spec: Record<string, unknown>; data: Record<string, string>; stringData: Record<string, string> }
const kubernetes = parseAllDocuments(text('kubernetes.yaml')).map((document) => document.toJS() as Manifest)
const ofKind = (kind: string): Manifest => kubernetes.find((one) => one.kind === kind) ?? expect.fail(`no ${kind}`)
const unit = text('stickler.service')
const flags = new Set(execFileSync(process.execPath, [command, 'serve', '--help'], { encoding: 'utf8' }).match(/--[a-z-]+/g))

const keys = { STICKLER_KEYS: 'a:key-of-a-0123456789abcdef', STICKLER_OPERATOR_KEYS: 'ops:key-of-ops-0123456789abcdef' }
const read = (source: string, names: Iterable<string>, store = 'postgres://a:b@c/d') => {
  const env = Object.fromEntries(
    [...names].map((name) => [name, name === 'STICKLER_STORE_URL' ? store : (keys[name as keyof typeof keys] ?? 'x')]),
  )
  return readGatewayConfig(source, 'stickler.yaml', { env, cwd: '/var/lib/stickler', readFile: async () => '' })
}

describe('the configuration of the deployments', () => {
  const unitNames = unit.match(/Put (.*) and the keys/)?.[1]?.split(', ') ?? []
  test.each([
    ['compose', text('stickler.yaml'), Object.keys(compose.services.stickler.environment)],
    ['Kubernetes', ofKind('ConfigMap').data['stickler.yaml'] ?? '', Object.keys(ofKind('Secret').stringData)],
    ['systemd', text('stickler.yaml'), [...unitNames, 'OPENAI_API_KEY']],
  ])('is complete with the variables of %s, and not without one of them', async (_name, source, names) => {
    const { server, store } = await read(source, names)
    expect(server).toMatchObject({ host: '0.0.0.0', port: 8787, admin: { port: 8788 }, keyCount: 1, operatorKeyCount: 1 })
    // Journals lie where the user of the process may write.
    expect(store).toMatchObject({ kind: 'postgres', folder: '/var/lib/stickler/.stickler' })
    for (const name of ['STICKLER_STORE_URL', 'OPENAI_API_KEY']) {
      await expect(
        read(
          source,
          names.filter((one) => one !== name),
        ),
      ).rejects.toThrow(name)
    }
  })

  test('is the same for all of them', () => {
    const [first, second] = [text('stickler.yaml'), ofKind('ConfigMap').data['stickler.yaml'] ?? ''].map((source) => parse(source))
    expect(second).toEqual(first)
  })
})

describe('the image', () => {
  test('is built from files that are there and that the context has', () => {
    const ignore = text('Dockerfile.dockerignore').split('\n')
    for (const line of instructions('COPY').filter((copy) => !copy.includes('--from'))) {
      const sources = line
        .split(' ')
        .filter((word) => !word.startsWith('--'))
        .slice(0, -1)
      for (const source of sources) {
        expect(existsSync(join(root, source)), source).toBe(true)
        expect(ignore).toContain(`!${source}`)
      }
    }
  })

  test('runs the command as its only process, not as root, on a supported Node', async () => {
    const [entry = '', start = ''] = [...instructions('ENTRYPOINT'), ...instructions('CMD')]
    const [program, path = ''] = JSON.parse(entry) as string[]
    expect([program, existsSync(join(root, path.replace('/srv/stickler/', '')))]).toEqual(['node', true])
    const words = JSON.parse(start) as string[]
    expect(words[0]).toBe('serve')
    for (const flag of words.filter((word) => word.startsWith('--'))) expect(flags).toContain(flag)
    expect(instructions('USER')).toEqual(['node'])
    for (const image of instructions('FROM')) expect(Number(/^node:(\d+)/.exec(image)?.[1])).toBeGreaterThanOrEqual(22)
    expect(instructions('EXPOSE')).toEqual(['8787 8788'])
    const scripts = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }).scripts
    for (const [, script = ''] of dockerfile.join('\n').matchAll(/npm run (\w+)/g)) expect(Object.keys(scripts)).toContain(script)
  })
})

test('compose keeps passwords out of the file, and publishes the port of operators on this machine alone', () => {
  for (const { environment } of Object.values(compose.services)) {
    for (const [name, value] of Object.entries(environment)) if (/KEY|PASSWORD|URL/.test(name)) expect(value).toContain('${')
  }
  expect(compose.services.stickler.ports).toEqual(['8787:8787', '127.0.0.1:8788:8788'])
  expect(existsSync(join(root, 'deploy', compose.services.stickler.volumes[1]?.split(':')[0] ?? ''))).toBe(true)
})

test('Kubernetes runs two gateways whose probes and ports are those of the gateway', () => {
  const { replicas, selector, template } = ofKind('StatefulSet').spec as never as {
    replicas: number
    selector: object
    template: {
      metadata: { labels: object }
      spec: { terminationGracePeriodSeconds: number; containers: Record<string, never>[]; volumes: { name: string }[] }
    }
  }
  const [container] = template.spec.containers as never as [
    { args: string[]; envFrom: unknown; ports: { name: string; containerPort: number }[]; volumeMounts: { name: string }[] } & Record<
      string,
      { httpGet: { path: string; port: string } }
    >,
  ]
  expect(replicas).toBe(2)
  expect(selector).toEqual({ matchLabels: template.metadata.labels })
  expect(container.ports).toEqual([
    { name: 'http', containerPort: 8787 },
    { name: 'admin', containerPort: 8788 },
  ])
  for (const [probe, path] of [
    ['livenessProbe', '/healthz'],
    ['readinessProbe', '/readyz'],
    ['startupProbe', '/healthz'],
  ] as const) {
    expect(container[probe]?.httpGet).toEqual({ path, port: 'admin' })
  }
  for (const flag of container.args.filter((word) => word.startsWith('--'))) expect(flags).toContain(flag)
  expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(['configuration', 'scratch', 'state'])
  // The grace of the gateway, 30 s at most for what hangs, and then some.
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(20 + 10)
  expect(ofKind('PodDisruptionBudget').spec).toEqual({ minAvailable: 1, selector })
  expect(ofKind('Service').spec).toMatchObject({ selector: template.metadata.labels, ports: [{ port: 8787, targetPort: 'http' }] })
})

test('the systemd unit is one, and starts a command that there is', () => {
  for (const flag of /ExecStart=.*/.exec(unit)?.[0].match(/--[a-z-]+/g) ?? []) expect(flags).toContain(flag)
  const verified = spawnSync('systemd-analyze', ['verify', join(root, 'deploy/stickler.service')], { encoding: 'utf8' })
  if (verified.error === undefined) expect([verified.status, verified.stderr]).toEqual([0, ''])
})

test('all of them give the gateway the same folder to write to, the same user, and longer to stop than it takes', () => {
  const { template } = ofKind('StatefulSet').spec as never as {
    template: {
      spec: { securityContext: object; terminationGracePeriodSeconds: number; containers: Record<string, unknown>[]; volumes: object[] }
    }
  }
  const [container] = template.spec.containers as never as [
    { volumeMounts: { name: string; mountPath: string }[]; securityContext: object },
  ]
  const [folder] = instructions('WORKDIR').slice(-1)
  expect(instructions('VOLUME')).toEqual([folder])
  expect(JSON.parse(instructions('CMD')[0] ?? '')).toEqual(['serve', '--config', `${folder}/stickler.yaml`])
  // The user node of the image has these numbers.
  expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 })
  expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true })
  expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([folder, `${folder}/stickler.yaml`, '/tmp'])
  const { volumes, tmpfs, read_only, stop_grace_period } = compose.services.stickler
  expect({ volumes, tmpfs, read_only }).toEqual({
    volumes: [`stickler:${folder}`, `./stickler.yaml:${folder}/stickler.yaml:ro`],
    tmpfs: ['/tmp'],
    read_only: true,
  })
  expect(unit).toContain(`WorkingDirectory=${folder}\n`)
  expect(unit).toContain(`StateDirectory=${folder?.replace('/var/lib/', '')}\n`)
  const { server } = parse(text('stickler.yaml')) as { server: { shutdownGrace: number } }
  const stops = [stop_grace_period, template.spec.terminationGracePeriodSeconds, /TimeoutStopSec=(\d+)/.exec(unit)?.[1]]
  expect(stops.map((seconds) => Number.parseInt(String(seconds), 10))).toEqual([40, 40, 40])
  expect(server.shutdownGrace).toBeLessThan(30)
})

test('the guide puts the files of systemd where the unit looks for them, before it starts the unit', () => {
  const guide = readFileSync(join(root, 'docs/guide/deployment.md'), 'utf8')
  const commands = /npm install --global[^`]*/.exec(guide)?.[0] ?? ''
  const made = [...commands.matchAll(/^install -D .*? (\/\S+)(?: +#.*)?$/gm)].map(([, path]) => path)
  expect(made).toEqual([/EnvironmentFile=(.*)/.exec(unit)?.[1], /--config (.*)/.exec(unit)?.[1]])
  expect(commands.indexOf('systemctl enable')).toBeGreaterThan(commands.lastIndexOf('install -D'))
  expect(guide).toContain('40 seconds in all of these files')
})

test('the health check of the image says whether the gateway is ready', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stickler-deploy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'stickler.yaml'), text('stickler.yaml').replace('port: 8788', 'port: 0').replaceAll('0.0.0.0', '127.0.0.1'))
  const env = { PATH: process.env.PATH, ...keys, OPENAI_API_KEY: 'x', STICKLER_STORE_URL: 'sqlite:state.db' }
  const gateway = spawn(process.execPath, [command, 'serve', '--config', join(folder, 'stickler.yaml'), '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise((resolve) => gateway.on('exit', resolve))
  onTestFinished(() => void gateway.kill('SIGKILL'))
  const [line = ''] = await new Promise<string[]>((resolve) =>
    createInterface({ input: gateway.stdout }).once('line', (first) => resolve([first])),
  )
  const { admin } = JSON.parse(line) as { admin: string }
  const [node, ...argv] = health.map((word) => word.replace('http://127.0.0.1:8788', admin))
  const check = () => spawnSync(node === 'node' ? process.execPath : '', argv).status
  expect(check()).toBe(0)
  expect((await fetch(`${admin}/healthz`)).status).toBe(200)
  gateway.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(check()).toBe(1)
})
