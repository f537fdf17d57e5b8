// Package passkeytest is a device with a passkey, for tests. It answers as a browser's PublicKeyCredential.toJSON does.
package passkeytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"
)

// Device has one passkey. A test changes its fields to make it misbehave.
type Device struct {
	Origin     string // of the page that asks
	Site       string // the relying party's ID
	Uses       uint32 // how often it has signed; it counts if Counts is set
	Counts     bool
	Unverified bool // it does not check who uses it
	ID, Handle []byte

	t   testing.TB
	key *ecdsa.PrivateKey
}

// New returns a device without a passkey, in a browser at that origin.
func New(t testing.TB, origin, site string) *Device {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &Device{Origin: origin, Site: site, ID: []byte(rand.Text()), t: t, key: key}
}

// options are those of creating and of using a passkey.
type options struct {
	Challenge string
	User      struct{ ID string }
}

func (d *Device) read(raw json.RawMessage) (o options) {
	d.t.Helper()
	if err := json.Unmarshal(raw, &o); err != nil {
		d.t.Fatal(err)
	}
	return o
}

// Create makes the passkey and returns the answer.
func (d *Device) Create(raw json.RawMessage) json.RawMessage {
	d.t.Helper()
	o := d.read(raw)
	handle, err := base64.RawURLEncoding.DecodeString(o.User.ID)
	if err != nil {
		d.t.Fatal(err)
	}
	d.Handle = handle
	point, err := d.key.PublicKey.Bytes() // 4, then x and y
	if err != nil {
		d.t.Fatal(err)
	}
	made := append(make([]byte, 16), binary.BigEndian.AppendUint16(nil, uint16(len(d.ID)))...)
	made = append(made, d.ID...)
	made = append(made, 0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32) // a COSE key: EC2, ES256, P-256, x …
	made = append(append(made, point[1:33]...), 0x22, 0x58, 32)       // … and y
	data := d.data(0x40, append(made, point[33:]...))
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"), byte(len(data)))
	return d.answer(map[string][]byte{"clientDataJSON": d.client("webauthn.create", o.Challenge),
		"attestationObject": append(object, data...)})
}

// Get uses the passkey and returns the answer.
func (d *Device) Get(raw json.RawMessage) json.RawMessage {
	d.t.Helper()
	o := d.read(raw)
	data, client := d.data(0, nil), d.client("webauthn.get", o.Challenge)
	sum := sha256.Sum256(client)
	signed := sha256.Sum256(append(data[:len(data):len(data)], sum[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, d.key, signed[:])
	if err != nil {
		d.t.Fatal(err)
	}
	return d.answer(map[string][]byte{"clientDataJSON": client, "authenticatorData": data, "signature": signature,
		"userHandle": d.Handle})
}

// data is the authenticator data. The flags say that a person was there and, unless Unverified, was recognized.
func (d *Device) data(flags byte, made []byte) []byte {
	if flags |= 1; !d.Unverified {
		flags |= 4
	}
	if d.Counts {
		d.Uses++
	}
	site := sha256.Sum256([]byte(d.Site))
	return append(binary.BigEndian.AppendUint32(append(site[:], flags), d.Uses), made...)
}

func (d *Device) client(doing, challenge string) []byte {
	data, err := json.Marshal(map[string]any{"type": doing, "challenge": challenge, "origin": d.Origin,
		"crossOrigin": false})
	if err != nil {
		d.t.Fatal(err)
	}
	return data
}

func (d *Device) answer(response map[string][]byte) json.RawMessage {
	d.t.Helper()
	encoded := map[string]string{}
	for name, value := range response {
		encoded[name] = base64.RawURLEncoding.EncodeToString(value)
	}
	id := base64.RawURLEncoding.EncodeToString(d.ID)
	answer, err := json.Marshal(map[string]any{"id": id, "rawId": id, "type": "public-key", "response": encoded,
		"clientExtensionResults": map[string]any{}})
	if err != nil {
		d.t.Fatal(err)
	}
	return answer
}
