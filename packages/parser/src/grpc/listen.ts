import { type Server, ServerCredentials } from '@grpc/grpc-js'
import { oneLine } from '../wire/one-line.ts'

/** The certificate of a service and its key, as PEM texts. */
export interface TlsTexts {
  readonly cert: string
  readonly key: string
}

/** Thrown when a service cannot listen: its address, certificate or key is wrong. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen'
}

/** Where a service listens. */
export interface ListenSettings {
  readonly host: string
  readonly port: number
  readonly tls?: TlsTexts | undefined
}

/** Lets a server listen; resolves to the port that was taken. */
export function listen(server: Server, { host, port, tls }: ListenSettings): Promise<number> {
  const address = `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`
  const refusal = (error: unknown): CannotListen => new CannotListen(`cannot listen on ${address}: ${whyNot(error)}`, { cause: error })
  return new Promise((resolve, reject) => {
    try {
      server.bindAsync(address, credentialsOf(tls), (error, taken) => {
        if (error === null) resolve(taken)
        else reject(refusal(error))
      })
    } catch (error) {
      reject(refusal(error))
    }
  })
}

/** What gRPC reports around the code of the system. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/EADDRINUSE/, 'the port is in use; choose another with --port or in the configuration'],
  [/EACCES/, 'permission denied'],
  [/EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|Name resolution failed/, 'this machine has no such address'],
  [/PEM|ASN1|asn1|X509|x509|key values mismatch/, 'the certificate or its key is wrong'],
]

function whyNot(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return reasons.find(([pattern]) => pattern.test(message))?.[1] ?? oneLine(message, 200)
}

function credentialsOf(tls: TlsTexts | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure()
  return ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) }])
}
