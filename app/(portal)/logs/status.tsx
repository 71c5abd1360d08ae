import { Badge, statusTone } from '@/app/ui/badge'

/** A status as the log shows it: an error that MCP tells under a 200 does not look as if all were well. */
export function Status({ status, errorCode }: { status: number; errorCode: string | null }) {
  return <Badge tone={errorCode && status < 400 ? 'warn' : statusTone(status)}>{status}</Badge>
}
