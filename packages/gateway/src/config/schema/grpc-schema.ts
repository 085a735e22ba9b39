import * as z from 'zod'
import { hostSchema } from './scalars.ts'

/** Questions over gRPC. */
export const grpcSchema = z.strictObject({
  host: hostSchema.default('127.0.0.1').describe('Address to listen on; 0.0.0.0 for all interfaces.'),
  port: z.int().min(0).max(65_535).default(50_052).describe('0 picks a free port.'),
  tls: z
    .strictObject({
      cert: z.string().min(1).describe('PEM file with the certificate and its chain, relative to this file.'),
      key: z.string().min(1).describe('PEM file with the key of the certificate, relative to this file.'),
    })
    .exactOptional()
    .describe('Without it the connection is not encrypted.'),
})
