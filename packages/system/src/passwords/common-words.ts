/**
 * Words and rows of keys in the passwords that attackers try first. Digits and signs around a word do not hide it, and digits
 * in place of letters do not either.
 *
 * A word may be shorter than a password: `qwerty` also refuses `qwerty123`.
 */
export const commonWords: readonly string[] = (
  'password passwort passwd pass kennwort geheim secret secure sicher admin administrator root user guest gast test ' +
  'login welcome willkommen hallo hello letmein changeme default master access zugang schule school lehrer teacher ' +
  'qwerty qwertz qwertyuiop qwertzuiop asdfgh asdfghjkl yxcvbnm zxcvbnm azerty abc abcd abcdef abcdefg abcdefgh abcdabcd ' +
  'iloveyou ichliebedich sunshine princess prinzessin football fussball baseball basketball hockey soccer superman ' +
  'batman pokemon starwars dragon drache monkey shadow schatz schatzi michael michelle jennifer jessica charlie daniel ' +
  'andreas thomas alexander computer internet samsung iphone google facebook whatever trustno freedom mustang corvette ' +
  'ferrari mercedes porsche sommer summer winter herbst fruehling frühling spring autumn hamburg berlin muenchen münchen ' +
  'bayern dortmund schalke liverpool chelsea arsenal killer hunter ranger jordan maggie ginger pepper cookie cheese ' +
  'butterfly flower blume lovely loveme babygirl angel engel jesus christus raspberry himbeere raspberrypi ' +
  'tally tallybook attendance anwesenheit service server device kiosk'
).split(' ');
