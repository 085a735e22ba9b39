import type { MethodDefinition } from '@grpc/grpc-js'
import { ParserUnavailable } from '@stickler/core/syntax'
import { service } from 'grpc-health-check'
import { parserServiceName } from '../wire/parser-proto.ts'
import type { CallLimits, Connection } from './connection.ts'

type HealthCheck = MethodDefinition<{ readonly service: string }, { readonly status: string }>

/** Resolves when the parser service reports that it is serving. */
export async function checkHealth(connection: Connection, limits: CallLimits): Promise<void> {
  const { status } = await connection.call(service.Check as unknown as HealthCheck, { service: parserServiceName }, limits)
  if (status !== 'SERVING') throw new ParserUnavailable('the parser service is not serving', 'fault')
}
