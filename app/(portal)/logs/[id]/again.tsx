import { Card } from '@/app/ui/card'
import { CodeBlock } from '@/app/ui/code-block'
import { env } from '@/lib/core/env'
import { KEY_VARIABLE } from '@/lib/portal/curl'
import { againInCurl, BODY_FILE, type LoggedRequest, lacks } from './curl'

/** Shows a logged request as a curl command, and says which parts were not stored. */
export function Again({ asked }: { asked: LoggedRequest }) {
  const { body, pageToken } = lacks(asked)
  return (
    <Card
      title="Reproduce this request"
      text={
        <>
          <code className="font-mono">{KEY_VARIABLE}</code> holds your key.
          {body && (
            <>
              {' '}
              Bodies are not stored: put yours in <code className="font-mono">{BODY_FILE}</code>.
            </>
          )}
          {pageToken && ' Page tokens are not stored either, so this requests the first page.'}
        </>
      }
    >
      <CodeBlock code={againInCurl(asked, env())} language="shell" label="The request in curl" />
    </Card>
  )
}
