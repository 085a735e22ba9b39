import { HttpError } from '@stickler/core/internal/apis'
import type { Exchange, Route } from '../../front/exchange.ts'
import { sendBody } from '../../front/replies/json-response.ts'
import { pageDescription } from '../api/operation-descriptions.ts'
import { type DashboardFile, dashboardFiles } from './dashboard-files.ts'

/** Stricter than for other pages: no inline style, and no way to turn text into markup. */
const policy = [
  "default-src 'self'",
  "img-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The paths at which the page is served; it shows what the path names. */
const pages = [
  '/',
  ...['/runs', '/sessions', '/contracts', '/evaluations'].flatMap((list) => [list, `${list}/:name`]),
  ...['/upstreams', '/keys'],
]

/** Makes the routes of the dashboard; they need no key because they hold no data, which comes from the API. */
export function dashboardRoutes(): readonly Route[] {
  const find = dashboardFiles()
  const page = (path: string): Route => ({
    method: 'GET',
    path,
    access: 'page',
    description: () => pageDescription('text/html'),
    handler: async (exchange) => send(exchange, await find(fileOf(exchange)), { 'content-security-policy': policy }),
  })
  return [
    ...pages.map(page),
    {
      method: 'GET',
      path: '/assets/:file',
      access: 'page',
      description: () => pageDescription('text/javascript'),
      // The name has the hash of the content.
      handler: async (exchange) =>
        send(exchange, await find(`assets/${exchange.params.file ?? ''}`), { 'cache-control': 'public, max-age=31536000, immutable' }),
    },
  ]
}

/** The page names its files relative to its own path. */
function fileOf({ path }: Exchange): string {
  return path.lastIndexOf('/') === 0 ? 'index.html' : 'deeper.html'
}

function send(exchange: Exchange, file: DashboardFile | undefined, headers: Readonly<Record<string, string>>): void {
  if (file === undefined) throw new HttpError(404, 'There is no such file.')
  const encoding = preferred(exchange.headers['accept-encoding'], file)
  const body = encoding === undefined ? file.bytes : (file[encoding] ?? file.bytes)
  const extra = encoding === undefined ? {} : { 'content-encoding': encoding }
  sendBody(exchange, 200, file.contentType, body, { ...headers, ...extra, vary: 'accept-encoding' })
}

/** The smallest form that the client reads. */
function preferred(header: string | string[] | undefined, file: DashboardFile): 'br' | 'gzip' | undefined {
  const accepted = new Set<string>()
  for (const part of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    if (!parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))) accepted.add(name)
  }
  return (['br', 'gzip'] as const).find((encoding) => accepted.has(encoding) && file[encoding] !== undefined)
}
