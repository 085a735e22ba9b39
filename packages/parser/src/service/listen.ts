import { type Server, ServerCredentials } from '@grpc/grpc-js'

/** The certificate of a service and its key, as PEM texts. */
export interface TlsTexts {
  readonly cert: string
  readonly key: string
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
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentialsOf(tls), (error, taken) => {
      if (error === null) resolve(taken)
      else reject(error)
    })
  })
}

function credentialsOf(tls: TlsTexts | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure()
  return ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) }])
}
