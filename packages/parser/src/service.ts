export { CannotListen, type TlsTexts } from '@stickler/node/internal/grpc'
export { type ParserService, type ParserServiceOptions, startParserService } from './service/parser-service.ts'
