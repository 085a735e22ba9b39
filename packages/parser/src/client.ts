export { type GrpcParser, type GrpcParserSettings, grpcParser } from './client/grpc-parser.ts'
