import { Badge, statusTone } from '@/app/ui/badge'

/** The status as the log shows it. An MCP error under a 200 is marked as an error. */
export function Status({ status, errorCode }: { status: number; errorCode: string | null }) {
  return <Badge tone={errorCode && status < 400 ? 'warn' : statusTone(status)}>{status}</Badge>
}
