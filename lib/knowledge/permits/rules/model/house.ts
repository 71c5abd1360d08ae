import { rulesFor } from '../define'

const model = rulesFor('irc', 'model_code_only')

const REQUIRED = { determination: 'likely_required', section: 'R105.1', source: 'ircRequired' } as const
const EXEMPT = { determination: 'likely_not_required' } as const

/** Model code rules for the house as a whole, its interior and its systems. */
export const HOUSE = [
  ...model('new_dwelling', [{ ...REQUIRED, id: 'any', because: 'Constructing a building takes a permit.' }]),
  ...model('addition', [{ ...REQUIRED, id: 'any', because: 'Enlarging a building takes a permit.' }]),
  ...model('demolition', [
    { ...REQUIRED, id: 'any', because: 'Demolishing a building or a part of it takes a permit.' },
  ]),
  ...model('finish_basement', [
    {
      ...REQUIRED,
      id: 'any',
      because: 'Making living space of a basement, attic or garage alters the house and the use of that part of it.',
    },
  ]),
  ...model('interior_remodel', [
    {
      ...REQUIRED,
      id: 'beyond-finishes',
      when: {
        any: [
          { fact: 'structural', is: true },
          { fact: 'wallsChanged', is: true },
          { fact: 'tradeWork', is: true },
        ],
      },
      because: 'Moving walls, touching structure, or changing wiring, piping or equipment goes beyond finish work.',
    },
    {
      ...EXEMPT,
      id: 'finishes',
      because: 'A remodel of surfaces and cabinets alone is finish work, which is among the exceptions.',
      section: 'R105.2, building, finish work',
      source: 'ircExempt',
    },
  ]),
  ...model('finish_work', [
    {
      ...REQUIRED,
      id: 'beyond-finishes',
      when: {
        any: [
          { fact: 'structural', is: true },
          { fact: 'wallsChanged', is: true },
          { fact: 'tradeWork', is: true },
        ],
      },
      because: 'With walls, structure, wiring, piping or equipment changed it is no longer finish work alone.',
    },
    {
      ...EXEMPT,
      id: 'finishes',
      because: 'Painting, papering, tile, carpet, cabinets, counter tops and the like are among the exceptions.',
      section: 'R105.2, building, finish work',
      source: 'ircExempt',
    },
  ]),
  ...model('water_heater', [
    {
      ...EXEMPT,
      id: 'part',
      when: { fact: 'minorPartOnly', is: true },
      because: 'A minor part that leaves the appliance as approved and safe may be replaced without a permit.',
      section: 'R105.2, gas and mechanical, minor parts',
      source: 'ircTrades',
    },
    {
      ...REQUIRED,
      id: 'replace',
      because:
        'Installing or replacing part of a plumbing or gas system takes a permit; water heaters are not among the exceptions.',
    },
  ]),
  ...model('hvac', [
    {
      ...EXEMPT,
      id: 'minor',
      when: {
        any: [
          { fact: 'minorPartOnly', is: true },
          { fact: 'portable', is: true },
        ],
      },
      because:
        'Portable heaters, coolers and fans, and minor parts that leave the equipment as approved, are among the exceptions.',
      section: 'R105.2, mechanical, portable equipment and minor parts',
      source: 'ircTrades',
    },
    { ...REQUIRED, id: 'replace', because: 'Installing, altering or replacing a mechanical system takes a permit.' },
  ]),
  ...model('electrical_service', [
    {
      ...EXEMPT,
      id: 'breaker',
      when: { fact: 'overcurrentDeviceOnly', is: true },
      because: 'Breakers and fuses of branch circuits may be replaced in their place by ones of the required rating.',
      section: 'R105.2, electrical, overcurrent devices',
      source: 'ircElectrical',
    },
    { ...REQUIRED, id: 'other', because: 'Installing, altering or replacing an electrical system takes a permit.' },
  ]),
  ...model('circuits', [
    {
      ...EXEMPT,
      id: 'low-voltage',
      when: {
        all: [
          { fact: 'volts', lessThan: 25 },
          { fact: 'watts', atMost: 50 },
        ],
      },
      because: 'Wiring and devices at less than 25 V that cannot supply more than 50 W are among the exceptions.',
      section: 'R105.2, electrical, low voltage',
      source: 'ircElectrical2009',
    },
    { ...REQUIRED, id: 'other', because: 'New or altered circuits alter the electrical system, which takes a permit.' },
  ]),
  ...model('generator', [
    {
      ...EXEMPT,
      id: 'portable',
      when: { fact: 'portable', is: true },
      because:
        'Portable equipment plugged into what is approved and there is among the exceptions; a transfer switch is not.',
      section: 'R105.2, electrical, portable equipment',
      source: 'ircTrades',
    },
    {
      ...REQUIRED,
      id: 'standby',
      because:
        'A standby generator is connected to the electrical and often the gas system, both of which take a permit.',
    },
  ]),
  ...model('ev_charger', [
    {
      ...EXEMPT,
      id: 'portable',
      when: { fact: 'portable', is: true },
      because:
        'A charger plugged into an outlet that is approved and there is portable equipment; a new outlet or circuit is not.',
      section: 'R105.2, electrical, portable equipment',
      source: 'ircTrades',
    },
    {
      ...REQUIRED,
      id: 'wired',
      because: 'A charger wired in, or its new circuit, alters the electrical system, which takes a permit.',
    },
  ]),
  ...model('plumbing_fixture', [
    {
      ...REQUIRED,
      id: 'moved',
      when: { fact: 'pipesRearranged', is: true },
      because: 'Adding or moving pipes, valves or fixtures is new plumbing, which takes a permit.',
    },
    {
      ...EXEMPT,
      id: 'repair',
      when: { fact: 'repairOnly', is: true },
      because:
        'Clearing stoppages, stopping leaks and setting a toilet again are among the exceptions while no pipe is moved.',
      section: 'R105.2, plumbing',
      source: 'ircPlumbing',
    },
    {
      id: 'replace',
      determination: 'ask_jurisdiction',
      because: 'A new fixture in the old place is neither named as an exception nor plainly new work; cities differ.',
      section: 'R105.2, plumbing',
      source: 'ircPlumbing',
    },
  ]),
  ...model('solar', [
    {
      ...REQUIRED,
      id: 'any',
      because: 'Panels load the roof and feed the electrical system; neither is among the exceptions.',
    },
  ]),
]
