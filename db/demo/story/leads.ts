import { ask, type DemoLead, lead } from './lead-forms'

/** A lead nobody can call back: it is refused, kept, and can be corrected in the portal. */
const REFUSED: DemoLead = {
  source: 'inbound',
  daysAgo: 2,
  body: { firstName: 'Rosa', lastName: 'Benton', notes: 'Please call me back.', phone: '12', leadSource: 'Website' },
}

/** The leads by the slug of their contractor. At least four Google leads lie in any calendar month before the present one. */
export const DEMO_LEADS: Record<string, DemoLead[]> = {
  'cumberland-roofing': [
    lead('google', 80, ['Harold', 'Pruitt', '615-555-0101', 'Roof replacement'], {
      became: { status: 'completed', total: 16_240, starts: -58, ends: -54 },
    }),
    lead('google', 66, ['Selma', 'Novak', '615-555-0102', 'Repair after hail'], {
      became: { status: 'completed', total: 4_180, starts: -48, ends: -47 },
    }),
    lead('google', 59, ['Grant', 'Odom', '615-555-0103', 'Gutter guards']),
    lead('google', 52, ['Priya', 'Raman', '615-555-0155', 'Roof replacement'], {
      became: { status: 'in_progress', total: 21_900, starts: -6 },
    }),
    lead('google', 45, ['Owen', 'Tatum', '615-555-0104', 'Skylight leak'], {
      became: { status: 'completed', total: 1_350, starts: -30, ends: -30 },
    }),
    lead('google', 38, ['Bianca', 'Ferraro', '615-555-0105', 'Roof replacement'], {
      became: { status: 'scheduled', total: 18_700, starts: 5 },
    }),
    lead('google', 31, ['Cole', 'Hatcher', '615-555-0106', 'Roof inspection'], {
      became: { status: 'cancelled', total: 0 },
    }),
    lead('google', 24, ['Mina', 'Sato', '615-555-0107', 'Siding'], {
      became: { status: 'estimate', total: 12_480 },
      ...ask(3, 'Ask whether the siding color is decided.'),
    }),
    lead('google', 17, ['Walter', 'Greer', '615-555-0108', 'Roof replacement'], {
      became: { status: 'scheduled', total: 14_950, starts: 12 },
    }),
    lead(
      'google',
      10,
      ['Leah', 'Donovan', '615-555-0109', 'Repair after hail'],
      ask(1, 'Adjuster visits in the morning.'),
    ),
    lead('google', 3, ['Isaac', 'Boyd', '615-555-0110', 'Roof inspection']),
    lead('angi', 40, ['Maria', 'van der Berg', '615-555-0118', 'Asphalt Shingle Roofing - Install or Replace'], {
      became: { status: 'completed', total: 13_820, starts: -22, ends: -19 },
    }),
    lead('angi', 12, ['Terrence', 'Okafor', '615-555-0126', 'Gutter Repair'], {
      became: { status: 'estimate', total: 2_260 },
    }),
    lead('thumbtack', 27, ['June', 'Park', '615-555-0134', 'Roof Repair'], {
      became: { status: 'scheduled', total: 3_640, starts: 8 },
    }),
    lead('thumbtack', 5, ['Curtis', 'ONeal', '615-555-0147', 'Deck or Porch Repair']),
    lead('facebook', 33, ['Samuel', 'Whitfield', '615-555-0161', 'Inspection'], {
      became: { status: 'cancelled', total: 0 },
    }),
    lead('facebook', 8, ['Tara', 'Mullins', '615-555-0162', 'Free inspection'], ask(0, 'Call back today, after 5 pm.')),
    lead('nextdoor', 20, ['Imani', 'Brooks', '615-555-0163', 'Flashing around a skylight.']),
    lead('website', 15, ['Ana', 'Lopez', '615-555-0172', 'Roof repair'], {
      became: { status: 'in_progress', total: 5_720, starts: -3 },
    }),
    lead('website', 1, ['Felix', 'Arnold', '615-555-0173', 'Roof replacement']),
    lead('referral', 36, ['Joan', 'Keller', '615-555-0174', 'Neighbor of the Whitfields; wants the same shingle.'], {
      became: { status: 'scheduled', total: 17_300, starts: 19 },
    }),
    lead(
      'phone',
      4,
      ['Earl', 'Simmons', '615-555-0175', 'Wind took ridge caps off the garage.'],
      ask(2, 'Send the inspector.'),
    ),
    REFUSED,
  ],
  'lakeshore-electric': [
    lead('google', 48, ['Nora', 'Lindqvist', '608-555-0101', 'EV charger'], {
      became: { status: 'completed', total: 1_890, starts: -35, ends: -35 },
    }),
    lead('google', 34, ['Paul', 'Weiss', '608-555-0102', 'Panel upgrade'], {
      became: { status: 'scheduled', total: 4_750, starts: 6 },
    }),
    lead('google', 9, ['Gina', 'Rossi', '608-555-0103', 'Rewiring'], ask(2, 'Ask for pictures of the panel.')),
    lead('angi', 29, ['Dev', 'Mehta', '608-555-0104', 'Electrical Panel - Install or Replace'], {
      became: { status: 'in_progress', total: 5_300, starts: -4 },
    }),
    lead('thumbtack', 14, ['Ruth', 'Adler', '608-555-0105', 'Lighting Installation'], {
      became: { status: 'estimate', total: 1_420 },
    }),
    lead('facebook', 6, ['Hank', 'Moser', '608-555-0106', 'Generator']),
    lead('website', 2, ['Lena', 'Vogel', '608-555-0107', 'Outlets in the garage']),
    lead('referral', 22, ['Abel', 'Cruz', '608-555-0108', 'Half of the kitchen outlets are dead.'], {
      became: { status: 'completed', total: 640, starts: -16, ends: -16 },
    }),
  ],
}

/** Notes on projects that the documentation shows, by the reference of the project in its file. */
export const DEMO_NOTES: Record<string, { project: string; daysAgo: number; text: string }[]> = {
  'cumberland-roofing': [
    { project: 'P-26-9001', daysAgo: 8, text: 'Dana prefers calls after 4 pm. The gate code is on the work order.' },
    { project: 'P-26-9001', daysAgo: 2, text: 'Dumpster moves on Friday; the neighbor asked to keep the drive free.' },
  ],
  'lakeshore-electric': [],
}

/** Follow-ups on leads that the documentation shows. */
export const DEMO_FOLLOW_UPS: Record<string, { project: string; inDays: number; text: string }[]> = {
  'cumberland-roofing': [
    { project: 'P-26-9002', inDays: 4, text: 'Send pictures of the chimney to the crew lead first.' },
  ],
  'lakeshore-electric': [],
}
