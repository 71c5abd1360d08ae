import type { Alert } from './alerts'

/** Alerts as a message: its subject, and its text with a link for each. */
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

/** The JSON a webhook gets. Slack takes `text` alone; anyone else gets the subject beside it. */
export function webhookBody(url: URL, { subject, body }: { subject: string; body: string }): string {
  // Slack reads &, < and > as its own markup (api.slack.com/reference/surfaces/formatting).
  const escaped = body.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
  return JSON.stringify(url.hostname === 'hooks.slack.com' ? { text: escaped } : { subject, text: body })
}
