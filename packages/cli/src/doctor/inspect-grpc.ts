import { type GatewayConfig, isLoopback } from '@stickler/gateway'
import type { Doors } from '../serve/doors.ts'
import { broken, type DoctorFinding, doubtful, fine } from './finding.ts'

/** Inspects the gRPC listener, if there is one. */
export async function inspectGrpc(config: GatewayConfig, { checkGrpcFiles }: Pick<Doors, 'checkGrpcFiles'>): Promise<DoctorFinding[]> {
  const { grpc, server } = config
  if (grpc === undefined) return []
  const { host, port, tls } = grpc
  const where = `${tls === undefined ? 'grpc' : 'grpcs'}://${host}:${port}`
  try {
    await checkGrpcFiles(config)
  } catch (error) {
    return [broken('grpc', error instanceof Error ? error.message : String(error))]
  }
  if (port !== 0 && [server.port, server.admin?.port].includes(port))
    return [broken('grpc', `grpc.port ${port} is already used by another listener`, 'choose another port for grpc')]
  if (isParser(config.parser.service?.target, host, port))
    return [broken('grpc', `grpc.port ${port} is already used by the parser`, 'choose another port for grpc, or for `stickler parser`')]
  if (isLoopback(host)) return [fine('grpc', where)]
  if (server.keyCount + server.operatorKeyCount === 0)
    return [broken('grpc', `no keys, and others can reach ${host}`, 'set STICKLER_KEYS to name:key, or listen on 127.0.0.1')]
  if (tls === undefined) return [doubtful('grpc', `${where} sends keys without encryption`, 'set grpc.tls, or listen on 127.0.0.1')]
  return [fine('grpc', where)]
}

/** Whether the parser service has the same address as the gRPC listener. */
function isParser(target: string | undefined, host: string, port: number): boolean {
  if (target === undefined || !target.endsWith(`:${port}`)) return false
  const parserHost = target.slice(0, -`:${port}`.length)
  return parserHost === host || parserHost === `[${host}]` || isLoopback(parserHost)
}
