// Uses the Go client of oapi-codegen.
package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"reflect"
)

func main() {
	origin, key, id := os.Args[1], os.Args[2], os.Args[3]
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", key)
		return nil
	}
	client, err := NewClientWithResponses(origin, WithRequestEditorFn(authorize))
	check(err)

	evaluators := []EvaluatorWrite{{Name: "score", HigherIsBetter: pointer(true)}}
	created, err := client.AddEvaluationWithResponse(ctx, nil, EvaluationWrite{Id: &id, Evaluators: &evaluators})
	check(err)
	equal(created.JSON201.Id, id)

	nested := ResultWrite{Type: "json", Value: map[string]any{"answer": []any{"no", 2.5, nil}}}
	failed := ResultWrite{Type: "error", Error: &ErrorWrite{Message: "Timeout"}}
	appended, err := client.AppendEvaluationScenariosWithResponse(ctx, id, nil, []ScenarioWrite{
		{
			Id:             pointer("s1"),
			Inputs:         &[]ScenarioInputWrite{{Name: "question", Type: "text", Value: "One?"}},
			Outputs:        &[]ScenarioOutputWrite{{Result: nested, Cost: pointer(0.5), Latency: pointer(2.0)}},
			CorrectAnswers: nil,
			Results:        score(0.75),
		},
		{
			Id:             pointer("s2"),
			Inputs:         &[]ScenarioInputWrite{{Name: "question", Type: "json", Value: map[string]any{"text": "Two?"}}},
			Outputs:        &[]ScenarioOutputWrite{{Result: failed}},
			CorrectAnswers: &[]CorrectAnswerWrite{{Key: "answer", Value: "two"}},
			Results:        score(1),
		},
	})
	check(err)
	equal(appended.JSON201.Accepted, int64(2))

	read, err := client.ListEvaluationScenariosWithResponse(ctx, "baseline", nil)
	check(err)
	first, second := (*read.JSON200)[0], (*read.JSON200)[1]
	equal(first.Outputs[0].Result.Value, any(map[string]any{"answer": []any{"yes", 1.5, nil}}))
	equal(*first.Outputs[0].Cost, 0.25)
	equal(first.CorrectAnswers, nil)
	equal(*second.CorrectAnswers, []CorrectAnswer{{Key: "answer", Value: "two"}})
	equal(second.Outputs[0].Result.Error.Message, "Timeout")
	equal(*second.IsPinned, true)
	equal(*second.Note, "Look again.")

	history, err := client.ListVariantRevisionsWithResponse(ctx, "variant", nil)
	check(err)
	revisions := *history.JSON200
	equal(revisions[0].Revision, int32(1))
	equal((*revisions[0].Config.Parameters)["temperature"], any(0.5))
	equal(revisions[1].Config.ConfigName, "second")

	compared, err := client.CompareEvaluationsWithResponse(ctx, &CompareEvaluationsParams{Evaluation: []string{"baseline", id}})
	check(err)
	comparison := compared.JSON200
	equal(comparison.Evaluations[0].Id, "baseline")
	equal(comparison.Evaluations[1].Id, id)
	candidate := comparison.Candidates[0]
	mean := candidate.Evaluators[0]
	equal([]float64{*mean.BaseMean, *mean.Mean, *mean.Delta}, []float64{0.375, 0.875, 0.5})
	equal([]float64{*candidate.Cost.BaseMean, *candidate.Cost.Mean}, []float64{0.25, 0.5})
	equal(candidate.Cost.Interval, nil)

	missing, err := client.ListEvaluationScenariosWithResponse(ctx, "missing", nil)
	check(err)
	equal(missing.ApplicationproblemJSON404.Code, "evaluation-not-found")
}

func score(value float64) *[]ScenarioResultWrite {
	return &[]ScenarioResultWrite{{EvaluatorConfig: "score", Result: ResultWrite{Type: "number", Value: value}}}
}

func pointer[T any](value T) *T { return &value }

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func equal[T any](actual, expected T) {
	if !reflect.DeepEqual(actual, expected) {
		log.Fatalf("%v is not %v", actual, expected)
	}
}
