// The outputs of reply-translator in languages with Latin script.
import { prose } from '../text.ts'
import type { Translation } from './translation.ts'

export const LATIN: Translation[] = [
  {
    reply: 'label',
    to: 'de',
    text: prose`Hallo {name}, das Rücksendeetikett ist kostenlos und 30 Tage ab Zustellung gültig. Drucken
      Sie es unter „Meine Bestellungen“ aus oder zeigen Sie den QR-Code an der Abgabestelle.`,
  },
  {
    reply: 'gift',
    to: 'de',
    text: 'Guten Tag {name}, Ihre Geschenkkarte ist 3 Jahre gültig und kann nicht bar ausgezahlt werden.',
    fault: { adequacy: 0.88, terminology: 'off glossary', reason: '"Geschenkkarte" instead of "Gutschein".' },
  },
  {
    reply: 'zip',
    to: 'de',
    text: prose`Hallo {name}, ein neuer Reißverschluss kostet 18 €, und die Reparatur dauert 10 Werktage.
      Bitte schicken Sie das Zelt sauber und trocken ein.`,
  },
  {
    reply: 'stock',
    to: 'de',
    text: prose`Hallo {name}, Größe M ist ausverkauft. Wir können den Umtausch bis zu 14 Tage zurückhalten
      oder Ihnen das Geld erstatten. Was ist Ihnen lieber?`,
    second: prose`Hallo {name}, Größe M ist ausverkauft. Wir können den Umtausch bis zu 14 Tage zurückhalten
      oder dir das Geld erstatten. Was ist dir lieber?`,
  },
  {
    reply: 'thanks',
    to: 'de',
    text: 'Hallo {name}, vielen Dank für die lieben Worte! Das ganze Team hat sich darüber gefreut. 🥾💚',
  },
  {
    reply: 'refund',
    to: 'fr',
    text: prose`Bonjour {name}, votre remboursement de 84,50 € est en route. Il arrivera sur votre compte
      sous 5 jours ouvrables.`,
  },
  {
    reply: 'locker',
    to: 'fr',
    text: prose`Bonjour {name}, votre colis vous attend dans la consigne. Le code est le 4471. Il y est
      conservé pendant 7 jours. 📦`,
  },
  {
    reply: 'boots',
    to: 'fr',
    text: prose`Bonjour {name}, les chaussures portées à l'extérieur ne peuvent pas être retournées, sauf si
      elles présentent un défaut.`,
  },
  {
    reply: 'warranty',
    to: 'fr',
    text: prose`Bonjour {name}, nos tentes sont garanties 5 ans. L'usure normale n'est pas couverte.`,
  },
  {
    reply: 'delay',
    to: 'fr',
    text: prose`Bonjour {name}, nous sommes désolés : votre colis a deux jours de retard à cause d'une
      tempête. La nouvelle date de livraison est le 4 octobre.`,
    fault: {
      adequacy: 0.4,
      terminology: 'consistent',
      reason: 'Says 4 October; the reply says 14 October.',
    },
  },
  {
    reply: 'refund',
    to: 'es',
    text: 'Hola, {name}: tu reembolso de 84,50 € está en camino. Llegará a tu cuenta en 5 días laborables.',
  },
  {
    reply: 'points',
    to: 'es',
    text: 'Hola, {name}: tienes 340 Puntos de Sendero. 100 puntos equivalen a 5 €.',
    fault: {
      adequacy: 0.86,
      terminology: 'off glossary',
      reason: '"Trail Points" is a name and stays in English.',
    },
  },
  {
    reply: 'cancel',
    to: 'es',
    text: 'Hola, {name}: tu pedido LK-50212 ha sido cancelado. No se te ha cobrado nada.',
  },
  {
    reply: 'claim',
    to: 'es',
    text: 'Hola, {name}: envíanos una foto y el número de pedido. Te respondemos en 3 días laborables.',
  },
  {
    reply: 'down',
    to: 'es',
    text: prose`Hola, {name}: lava la chaqueta de plumas a 30 °C con jabón para plumas y sécala con dos
      pelotas de tenis. 🎾🎾`,
  },
  {
    reply: 'delay',
    to: 'pt',
    text: prose`Olá {name}, lamentamos: a sua encomenda está dois dias atrasada por causa de uma tempestade.
      A nova data de entrega é 14 de outubro.`,
  },
  {
    reply: 'locker',
    to: 'pt',
    text: 'Hola {name}, tu paquete te espera en la taquilla. El código es 4471. Se guarda durante 7 días. 📦',
    fault: {
      adequacy: 0.35,
      terminology: 'off glossary',
      reason: 'This is Spanish. Asked for was Portuguese.',
      isOtherLanguage: true,
    },
  },
  {
    reply: 'label',
    to: 'pt',
    text: prose`Olá {name}, a etiqueta de devolução é gratuita e válida por 30 dias a partir da entrega.
      Imprima-a em "As minhas encomendas" ou mostre o código QR no ponto de entrega.`,
  },
  {
    reply: 'customs',
    to: 'pt',
    text: prose`Olá {name}, os direitos de importação não estão incluídos no nosso preço. A transportadora
      cobra-os no ato da entrega.`,
  },
  {
    reply: 'thanks',
    to: 'pt',
    text: prose`Olá {name}, obrigado pelas suas palavras tão simpáticas! Toda a equipa ficou contente ao
      lê-las. 🥾💚`,
  },
  {
    reply: 'warranty',
    to: 'pl',
    text: 'Dzień dobry, {name}! Nasze namioty mają 5 lat gwarancji. Nie obejmuje ona zwykłego zużycia.',
  },
  {
    reply: 'zip',
    to: 'pl',
    text: prose`Dzień dobry, {name}! Nowy zamek kosztuje 18 €, a naprawa trwa 10 dni roboczych. Prosimy o
      przesłanie czystego i suchego namiotu.`,
  },
  {
    reply: 'cancel',
    to: 'pl',
    text: prose`Here is the Polish translation:

      Dzień dobry, {name}! Zamówienie LK-50212 zostało anulowane. Nie pobraliśmy żadnej opłaty.`,
    fault: {
      adequacy: 0.78,
      terminology: 'consistent',
      reason: 'Right, but opens with a sentence in English.',
    },
  },
  {
    reply: 'boots',
    to: 'pl',
    text: 'Dzień dobry, {name}! Butów noszonych na zewnątrz nie można zwrócić, chyba że mają wadę.',
  },
  {
    reply: 'gift',
    to: 'pl',
    text: prose`Dzień dobry, {name}! Twoja karta podarunkowa jest ważna 3 lata i nie można jej wymienić na
      gotówkę.`,
  },
]
