import type { Alert } from './alerts'

/** Writes alerts as a message: a subject, and a text with a link for each alert. */
export function messageOf(alerts: Alert[], contractor: string, portal: string): { subject: string; text: string } {
  const [first] = alerts
  const more = alerts.length > 1 ? `, and ${alerts.length - 1} more` : ''
  const subject = `${contractor}: ${first?.title ?? 'no alerts'}${more}`.replace(/[\r\n]+/g, ' ').slice(0, 200)
  const parts = alerts.map(({ title, lines, path }) =>
    [title, ...lines.map((each) => `- ${each}`), `${portal}${path}`].join('\n'),
  )
  const footer = `You chose these alerts for ${contractor}. Change them: ${portal}/alerts`
  return { subject, text: [...parts, footer].join('\n\n') }
}

/** Returns the JSON for a webhook. Slack accepts only `text`; others also get the subject. */
export function webhookBody(url: URL, { subject, body }: { subject: string; body: string }): string {
  // Slack treats &, < and > as markup (api.slack.com/reference/surfaces/formatting).
  const escaped = body.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
  return JSON.stringify(url.hostname === 'hooks.slack.com' ? { text: escaped } : { subject, text: body })
}
