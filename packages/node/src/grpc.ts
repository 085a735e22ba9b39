export { Admission, type AdmissionLimits } from './grpc/admission.ts'
export {
  type CallCheck,
  type GrpcServer,
  type GrpcServerOptions,
  healthServiceName,
  openGrpcServer,
  type ServedService,
} from './grpc/grpc-server.ts'
export { CannotListen, type ListenSettings, type TlsTexts } from './grpc/listen.ts'
export { type ReceptionLimits, streamOf } from './grpc/reception.ts'
export { lenient, type Refusal, refusal } from './grpc/refusal.ts'
