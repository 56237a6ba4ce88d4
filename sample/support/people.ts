// The countries that the fictional shop Larkfell ships to, with customer names and payment methods.

export interface Country {
  code: string
  name: string
  isInEu: boolean
  first: readonly string[]
  last: readonly string[]
  payment: readonly string[]
}

function country(code: string, name: string, payment: string, first: string, last: string): Country {
  const inEurope = !['GB', 'NO', 'CH', 'US'].includes(code)
  return {
    code,
    name,
    isInEu: inEurope,
    first: first.split(' '),
    last: last.split(' '),
    payment: payment.split(', '),
  }
}

export const COUNTRIES: readonly Country[] = [
  country(
    'NL',
    'the Netherlands',
    'iDEAL, card',
    'Sanne Daan Fleur Bram Maartje Ruben Noor',
    'Visser Kuipers Dekker Mulder Postma Hoekstra Vos',
  ),
  country(
    'BE',
    'Belgium',
    'Bancontact, card',
    'Lotte Wout Elise Arthur Marieke Seppe Nora',
    'Peeters Maes Claes Lambert Wouters Goossens Dubois',
  ),
  country(
    'DE',
    'Germany',
    'PayPal, card',
    'Anke Jonas Leonie Till Katharina Malte Svenja',
    'Weber Schröder Lindner Kühn Brandt Hartmann Vogt',
  ),
  country(
    'FR',
    'France',
    'card',
    'Camille Hugo Inès Luc Manon Bastien Solène',
    'Moreau Girard Lefèvre Blanc Rousseau Chevalier Perrin',
  ),
  country(
    'IE',
    'Ireland',
    'card, PayPal',
    'Aoife Conor Niamh Declan Róisín Eoin Sinéad',
    'Byrne Walsh Kavanagh Nolan Doyle Gallagher Quinn',
  ),
  country(
    'SE',
    'Sweden',
    'card',
    'Astrid Emil Freja Olle Maja Viktor Ebba',
    'Lindqvist Berg Sandström Ek Nyström Åkesson Holm',
  ),
  country(
    'ES',
    'Spain',
    'card, PayPal',
    'Lucía Álvaro Marta Iker Nerea Pablo Aitana',
    'Navarro Ortega Vidal Reyes Castro Iglesias Soler',
  ),
  country(
    'IT',
    'Italy',
    'PayPal, card',
    'Giulia Matteo Chiara Elio Francesca Davide Marta',
    'Ricci Ferrara Conti Galli Moretti Barbieri Sala',
  ),
  country(
    'PL',
    'Poland',
    'card, bank transfer',
    'Zofia Kacper Hanna Igor Maja Szymon Ola',
    'Wójcik Zając Mazur Lis Nowak Pawlak Król',
  ),
  country(
    'PT',
    'Portugal',
    'card',
    'Inês Rui Beatriz Tiago Leonor Duarte Matilde',
    'Carvalho Nunes Pires Lopes Teixeira Moura Faria',
  ),
  country(
    'GB',
    'the United Kingdom',
    'card, PayPal',
    'Priya Callum Megan Idris Harriet Rhys Zainab',
    'Shah Fraser Hughes Okafor Ellis Buchanan Mistry',
  ),
  country(
    'NO',
    'Norway',
    'card',
    'Ingrid Sindre Tuva Lars Marit Eirik Solveig',
    'Haugen Bakke Solberg Dahl Moen Strand Lund',
  ),
  country(
    'CH',
    'Switzerland',
    'card',
    'Nina Reto Seraina Urs Livia Marco Flurina',
    'Keller Brunner Caduff Frei Zimmermann Hug Moser',
  ),
  country(
    'US',
    'the United States',
    'card, PayPal',
    'Maya Ethan Grace Luis Hannah Darnell Kim',
    'Patel Brooks Nguyen Ramirez Sullivan Chen Whitaker',
  ),
]

export const EU_COUNTRIES = COUNTRIES.filter((country) => country.isInEu)

export function countryOf(code: string): Country {
  const match = COUNTRIES.find((country) => country.code === code)
  if (!match) throw new Error(`no country ${code}`)
  return match
}
